import type { Notice } from '../../../../src/domain/automation/notice.ts'
import type { Translate } from '../../i18n/use-text.tsx'
import { lazyPrompt } from '../../kit/dialog/prompt-stack.tsx'

export type ArrivalsNotice = Extract<Notice, { kind: 'arrivals' }>

/** What has arrived by the link of a notice. */
export const Arrivals = lazyPrompt(
  async () => (await import('../../files/share/prompts/arrivals-prompt.tsx')).ArrivalsPrompt,
)

export function arrivalsText(t: Translate, { files, name, from }: ArrivalsNotice): string {
  return files === 1 && from !== '' ? t('uploads.arrivedFrom', { name, from }) : t('uploads.arrived', { count: files })
}
