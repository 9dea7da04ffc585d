import type { MessageId, Translate } from '../../i18n/use-text.tsx'
import type { UploadProblem } from './upload-queue.ts'

const BY_STATUS: Readonly<Record<number, MessageId>> = {
  0: 'uploads.connectionLost',
  403: 'uploads.forbidden',
  409: 'uploads.conflict',
  507: 'uploads.noSpace',
}

/** Why an upload failed, short enough for its row. */
export function problemText(t: Translate, problem: UploadProblem | null): string {
  const known = problem === null ? undefined : BY_STATUS[problem.status]
  return t(known ?? 'uploads.failed')
}
