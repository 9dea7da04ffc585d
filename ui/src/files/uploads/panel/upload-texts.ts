import { type MessageId, type Translate, useText } from '../../../i18n/use-text.tsx'
import type { UploadProblem } from '../queue/upload-item.ts'
import type { UploadSnapshot } from '../queue/upload-queue.ts'
import { useEffect, useRef } from 'react'
import { useAnnounce } from '../../../kit/feedback/announcer.tsx'
import { useLatest } from '../../../lib/hooks.ts'
import { type FinishNotice, useFinishNotice } from '../../actions/batches/use-finish-notice.ts'

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
  if (problem?.isTooMany === true) return t('uploads.tooManyFiles')
  if (problem?.isOverQuota === true) return t('uploads.overQuota')
  const known = problem === null ? undefined : BY_STATUS[problem.status]
  return t(known ?? 'uploads.failed')
}

/** The heading of the panel: the state of all uploads in a few words. */
export function titleText(t: Translate, { totals, pausedBy }: UploadSnapshot): string {
  const { active, waiting, paused, missing, failed, done } = totals
  const pending = active + waiting
  // During maintenance a notice covers the page.
  if (pending > 0 && (pausedBy === 'offline' || pausedBy === 'maintenance'))
    return t('uploads.pausedOffline', { count: pending })
  if (pending > 0 && pausedBy === 'session') return t('uploads.pausedSignedOut', { count: pending })
  if (pending > 0) return t('uploads.uploading', { count: pending })
  if (missing > 0) return t('uploads.someMissing', { count: missing })
  if (paused > 0) return t('uploads.somePaused', { count: paused })
  if (failed > 0) return t('uploads.someFailed', { failed, done })
  return t('uploads.allDone', { count: done })
}

/** The progress for screen readers. */
export function summaryText(t: Translate, snapshot: UploadSnapshot): string {
  const { active, waiting, paused, missing, failed, done } = snapshot.totals
  if (snapshot.pausedBy !== null) return titleText(t, snapshot)
  return t('uploads.summary', { done, all: active + waiting + paused + missing + failed + done, failed })
}

const INTERVAL = 10_000

/** Announces the progress at once and then every ten seconds, so that screen readers are not flooded. */
export function useLiveSummary(summary: string): void {
  const announce = useAnnounce()
  const latest = useLatest(summary)
  const running = summary !== ''
  useEffect(() => {
    if (!running) return
    let said = ''
    const say = (): void => {
      if (latest.current !== said) announce((said = latest.current))
    }
    say()
    const timer = setInterval(say, INTERVAL)
    return () => clearInterval(timer)
  }, [running, announce, latest])
}

/** Notifies the user when the uploads have ended. */
export function useUploadNotice(snapshot: UploadSnapshot): FinishNotice {
  const t = useText()
  const notice = useFinishNotice()
  const { active, waiting } = snapshot.totals
  const busy = active + waiting > 0
  const wasBusy = useRef(busy)
  useEffect(() => {
    const ended = wasBusy.current && !busy
    wasBusy.current = busy
    const last = snapshot.items.at(-1)
    if (ended && last !== undefined) notice.notify({ title: titleText(t, snapshot), folder: last.target })
  })
  return notice
}
