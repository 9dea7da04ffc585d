import { useId, useState } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { useLingui } from '@lingui/react'
import { IconButton } from '../../kit/icon-button.tsx'
import { Progress } from '../../kit/progress.tsx'
import { useStore } from '../../lib/create-store.ts'
import { classNames } from '../../lib/class-names.ts'
import { NARROW, useMediaQuery } from '../../lib/use-media-query.ts'
import { formatDuration, formatSpeed, secondsLeft } from './speed.ts'
import { itemsOf, type UploadFilter } from './upload-filter.ts'
import { UploadList } from './upload-list.tsx'
import { UploadTabs } from './upload-tabs.tsx'
import type { UploadSnapshot } from './upload-queue.ts'
import { useAbortAll } from './use-abort-all.ts'
import { useLiveSummary } from './use-live-summary.ts'
import { useUploads } from './uploads-context.tsx'
import styles from './upload-panel.module.css'

/** What is going up, what has failed and what has arrived. Stays until it is closed. */
export function UploadPanel() {
  const t = useText()
  const uploads = useUploads()
  const snapshot = useStore(uploads.state)
  const narrow = useMediaQuery(NARROW)
  const [open, setOpen] = useState(!narrow)
  const [filter, setFilter] = useState<UploadFilter>('all')
  const listId = useId()
  const abortAll = useAbortAll(uploads)
  const { totals, items } = snapshot
  const busy = totals.active + totals.waiting > 0
  const title = titleOf(t, snapshot)
  useLiveSummary(busy ? title : '')
  const failed = items.filter(({ state }) => state === 'failed').map(({ id }) => id)
  return (
    <section className={styles['panel']} aria-label={t('uploads.title')}>
      <div className={styles['head']}>
        <h2 className="grow">{title}</h2>
        {failed.length > 0 && (
          <IconButton
            icon="retry"
            size="small"
            label={t('uploads.retryFailed')}
            onClick={() => uploads.retry(failed)}
          />
        )}
        <IconButton
          icon={open ? 'down' : 'up'}
          size="small"
          label={t(open ? 'uploads.collapse' : 'uploads.expand')}
          aria-expanded={open}
          aria-controls={listId}
          onClick={() => setOpen(!open)}
        />
        <IconButton
          icon="x"
          size="small"
          label={t(busy ? 'uploads.cancelAll' : 'uploads.close')}
          onClick={busy ? abortAll : uploads.clear}
        />
      </div>
      {busy && <Sum snapshot={snapshot} />}
      <div id={listId} className={classNames(styles['content'])} hidden={!open}>
        <UploadTabs totals={totals} filter={filter} onFilter={setFilter} panelId={`${listId}-list`} />
        {open && <UploadList id={`${listId}-list`} filter={filter} items={itemsOf(filter, items)} uploads={uploads} />}
      </div>
    </section>
  )
}

function titleOf(t: ReturnType<typeof useText>, { totals }: UploadSnapshot): string {
  const left = totals.active + totals.waiting
  if (left > 0) return t('uploads.uploading', { count: left })
  if (totals.failed > 0) return t('uploads.someFailed', { failed: totals.failed, done: totals.done })
  return t('uploads.allDone', { count: totals.done })
}

/** Bytes, speed and time of all together. */
function Sum({ snapshot: { totals, speed } }: { readonly snapshot: UploadSnapshot }) {
  const t = useText()
  const format = useFormat()
  const { locale } = useLingui().i18n
  const value = totals.totalBytes === 0 ? 0 : totals.sentBytes / totals.totalBytes
  const left = formatDuration(secondsLeft(totals.totalBytes - totals.sentBytes, speed.speed))
  return (
    <div className={styles['sum']}>
      <Progress value={value} label={t('uploads.allUploads')} />
      <p>
        <span>
          {t('uploads.sentOf', { sent: format.bytes(totals.sentBytes), total: format.bytes(totals.totalBytes) })}
        </span>
        <span>{t('uploads.speedAndTime', { speed: formatSpeed(speed.speed, locale), time: left })}</span>
      </p>
    </div>
  )
}
