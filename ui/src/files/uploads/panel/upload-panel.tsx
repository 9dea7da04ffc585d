import { useId, useRef, useState } from 'react'
import { useFormat } from '../../../i18n/use-format.ts'
import { useText, useLocale } from '../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../kit/button/button.tsx'
import { Progress } from '../../../kit/feedback/progress.tsx'
import { usePanelFocus } from '../../../kit/keyboard/focus.ts'
import { useStore } from '../../../lib/create-store.ts'
import { useFilesPath } from '../../../lib/navigation/navigation.tsx'
import { NARROW, useMediaQuery } from '../../../lib/hooks.ts'
import { formatDuration, formatSpeed, secondsLeft } from '../../../lib/speed.ts'
import type { UploadFilter } from './upload-filter.ts'
import { type UploadState, openCount } from '../queue/upload-item.ts'
import { UploadList, UploadTabs } from './upload-list.tsx'
import { summaryText, titleText, useLiveSummary, useUploadNotice } from './upload-texts.ts'
import type { UploadSnapshot } from '../queue/upload-queue.ts'
import { useUploads } from '../uploads-context.tsx'
import { useAbortAll } from './abort-prompt.tsx'
import type { FinishNotice } from '../../actions/batches/use-finish-notice.ts'
import styles from './upload-panel.module.css'

/**
 * Uploads that run, failed or finished. Stays until closed. Outside the folders it shrinks once nothing runs, and over an open
 * file at once.
 */
export function UploadPanel() {
  const t = useText()
  const uploads = useUploads()
  const snapshot = useStore(uploads.state)
  const narrow = useMediaQuery(NARROW)
  const [open, setOpen] = useState(!narrow)
  const [expanded, setExpanded] = useState(false)
  const path = useFilesPath()
  const [filter, setFilter] = useState<UploadFilter>('all')
  const listId = useId()
  const box = useRef<HTMLElement>(null)
  const focus = usePanelFocus(box)
  const { totals, items } = snapshot
  const busy = totals.active + totals.waiting > 0
  useLiveSummary(busy ? summaryText(t, snapshot) : '')
  const notice = useUploadNotice(snapshot)
  const isShrunk = path === undefined ? !busy : !path.endsWith('/')
  const expand = (): void => {
    setExpanded(true)
    setOpen(true)
  }
  const toggle = (): void => {
    if (isShrunk) setExpanded(false)
    else setOpen(!open)
  }
  if (isShrunk && !expanded) {
    return (
      <section ref={box} className={styles['chip']} aria-label={t('uploads.title')} tabIndex={-1} {...focus}>
        <Button icon="upload" aria-expanded={false} onClick={expand}>
          {titleText(t, snapshot)}
        </Button>
      </section>
    )
  }
  return (
    <section ref={box} className={styles['panel']} aria-label={t('uploads.title')} tabIndex={-1} {...focus}>
      <UploadHead snapshot={snapshot} open={open} listId={listId} onToggle={toggle} />
      {openCount(totals) > 0 && <Sum snapshot={snapshot} />}
      <div id={listId} hidden={!open}>
        <UploadNotes snapshot={snapshot} notice={notice} />
        <UploadTabs totals={totals} filter={filter} onFilter={setFilter} panelId={`${listId}-list`} />
        {open && <UploadList id={`${listId}-list`} filter={filter} items={items} uploads={uploads} />}
      </div>
    </section>
  )
}

/** Bytes, speed and remaining time of all uploads together. */
function Sum({ snapshot: { totals, speed } }: { readonly snapshot: UploadSnapshot }) {
  const t = useText()
  const format = useFormat()
  const locale = useLocale()
  const value = totals.totalBytes === 0 ? 0 : totals.sentBytes / totals.totalBytes
  const remaining = formatDuration(secondsLeft(totals.totalBytes - totals.sentBytes, speed.speed))
  return (
    <div className={styles['sum']}>
      <Progress value={value} label={t('uploads.allUploads')} />
      <p>
        <bdi>
          {t('uploads.sentOf', { sent: format.bytes(totals.sentBytes), total: format.bytes(totals.totalBytes) })}
        </bdi>
        {totals.active > 0 && (
          <bdi>{t('uploads.speedAndTime', { speed: formatSpeed(format, speed.speed, locale), time: remaining })}</bdi>
        )}
      </p>
    </div>
  )
}

interface UploadHeadProps {
  readonly snapshot: UploadSnapshot
  readonly open: boolean
  readonly listId: string
  readonly onToggle: () => void
}

/** Total progress, with actions for all uploads. */
function UploadHead({ snapshot, open, listId, onToggle }: UploadHeadProps) {
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
        label={t(pending ? 'uploads.cancelAll' : 'kit.close')}
        onClick={pending ? abortAll : () => queue.clear()}
      />
    </div>
  )
}

/** Seconds; a shorter wait needs no notification. */
const LONG = 20

interface UploadNotesProps {
  readonly snapshot: UploadSnapshot
  readonly notice: FinishNotice
}

/** Problems that need the user. */
function UploadNotes({ snapshot: { items, totals, speed, pausedBy }, notice }: UploadNotesProps) {
  const t = useText()
  const { pickMissing } = useUploads()
  if (totals.missing > 0) {
    const missing = items.filter(({ state }) => state === 'missing').map(({ id }) => id)
    return (
      <div className={styles['ask']}>
        <p className="grow">{t('uploads.missingText', { count: missing.length })}</p>
        <Button size="small" onClick={() => pickMissing(missing)}>
          {t('uploads.chooseFiles', { count: missing.length })}
        </Button>
      </div>
    )
  }
  const remaining = secondsLeft(totals.totalBytes - totals.sentBytes, speed.speed)
  if (!notice.mayAsk || pausedBy !== null || !Number.isFinite(remaining) || remaining < LONG) return null
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
