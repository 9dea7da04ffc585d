import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { openCount, type UploadState } from './upload-item.ts'
import type { UploadSnapshot } from './upload-queue.ts'
import { titleText } from './upload-texts.ts'
import { useAbortAll } from './use-abort-all.ts'
import { useUploads } from './uploads-context.tsx'
import styles from './upload-panel.module.css'

interface UploadHeadProps {
  readonly snapshot: UploadSnapshot
  readonly open: boolean
  readonly listId: string
  readonly onToggle: () => void
}

/** How far all are, and what can be done with all. */
export function UploadHead({ snapshot, open, listId, onToggle }: UploadHeadProps) {
  const t = useText()
  const uploads = useUploads()
  const { queue } = uploads
  const abortAll = useAbortAll(uploads)
  const { totals, items } = snapshot
  const idsIn = (...states: UploadState[]): number[] =>
    items.filter(({ state }) => states.includes(state)).map(({ id }) => id)
  const pending = openCount(totals) > 0
  return (
    <div className={styles['head']}>
      <h2 className="grow">{titleText(t, snapshot)}</h2>
      {totals.failed > 0 && (
        <IconButton
          icon="retry"
          size="small"
          label={t('uploads.retryFailed')}
          onClick={() => uploads.retry(idsIn('failed'))}
        />
      )}
      {totals.active + totals.waiting > 0 ? (
        <IconButton
          icon="pause"
          size="small"
          label={t('uploads.pauseAll')}
          onClick={() => queue.pause(idsIn('active', 'waiting'))}
        />
      ) : (
        totals.paused > 0 && (
          <IconButton
            icon="play"
            size="small"
            label={t('uploads.resumeAll')}
            onClick={() => queue.resume(idsIn('paused'))}
          />
        )
      )}
      <IconButton
        icon={open ? 'down' : 'up'}
        size="small"
        label={t(open ? 'uploads.collapse' : 'uploads.expand')}
        aria-expanded={open}
        aria-controls={listId}
        onClick={onToggle}
      />
      <IconButton
        icon="x"
        size="small"
        label={t(pending ? 'uploads.cancelAll' : 'uploads.close')}
        onClick={pending ? abortAll : () => queue.clear()}
      />
    </div>
  )
}
