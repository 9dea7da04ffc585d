import type { MessageId, Translate } from '../../i18n/use-text.tsx'
import type { UploadProblem } from './upload-item.ts'
import type { UploadSnapshot } from './upload-queue.ts'

const BY_STATUS: Readonly<Record<number, MessageId>> = {
  0: 'uploads.connectionLost',
  403: 'uploads.forbidden',
  409: 'uploads.conflict',
  413: 'uploads.tooLarge',
  507: 'uploads.noSpace',
}

/** Why an upload failed, short enough for its row. */
export function problemText(t: Translate, problem: UploadProblem | null): string {
  if (problem?.changed === true) return t('uploads.fileChanged')
  const known = problem === null ? undefined : BY_STATUS[problem.status]
  return t(known ?? 'uploads.failed')
}

/** What goes on, in a few words: the heading of the panel. */
export function titleText(t: Translate, { totals, hold }: UploadSnapshot): string {
  const { active, waiting, paused, missing, failed, done } = totals
  const left = active + waiting
  if (left > 0 && hold === 'offline') return t('uploads.heldOffline', { count: left })
  if (left > 0 && hold === 'session') return t('uploads.heldSignedOut', { count: left })
  if (left > 0) return t('uploads.uploading', { count: left })
  if (missing > 0) return t('uploads.someMissing', { count: missing })
  if (paused > 0) return t('uploads.somePaused', { count: paused })
  if (failed > 0) return t('uploads.someFailed', { failed, done })
  return t('uploads.allDone', { count: done })
}

/** The same for those who hear it, every now and then. */
export function summaryText(t: Translate, snapshot: UploadSnapshot): string {
  const { active, waiting, paused, missing, failed, done } = snapshot.totals
  if (snapshot.hold !== null) return titleText(t, snapshot)
  return t('uploads.summary', { done, all: active + waiting + paused + missing + failed + done, failed })
}
