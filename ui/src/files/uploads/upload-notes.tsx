import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { secondsLeft } from '../../lib/speed.ts'
import type { FinishNotice } from '../actions/use-finish-notice.ts'
import type { UploadSnapshot } from './upload-queue.ts'
import { useUploads } from './uploads-context.tsx'
import styles from './upload-panel.module.css'

/** Waits shorter than this, in seconds, show no hint. */
const LONG = 20

interface UploadNotesProps {
  readonly snapshot: UploadSnapshot
  readonly notice: FinishNotice
}

/** What the uploads want of the user. */
export function UploadNotes({ snapshot: { items, totals, speed, hold }, notice }: UploadNotesProps) {
  const t = useText()
  const { find } = useUploads()
  if (totals.missing > 0) {
    const missing = items.filter(({ state }) => state === 'missing').map(({ id }) => id)
    return (
      <div className={styles['ask']}>
        <p className="grow">{t('uploads.missingText', { count: missing.length })}</p>
        <Button size="small" onClick={() => find(missing)}>
          {t('uploads.chooseFiles', { count: missing.length })}
        </Button>
      </div>
    )
  }
  const left = secondsLeft(totals.totalBytes - totals.sentBytes, speed.speed)
  if (!notice.mayAsk || hold !== null || !Number.isFinite(left) || left < LONG) return null
  return (
    <div className={styles['ask']}>
      <p className="grow">{t('uploads.noticeText')}</p>
      <Button size="small" variant="ghost" onClick={() => notice.answer(false)}>
        {t('uploads.noticeNo')}
      </Button>
      <Button size="small" onClick={() => notice.answer(true)}>
        {t('uploads.noticeYes')}
      </Button>
    </div>
  )
}
