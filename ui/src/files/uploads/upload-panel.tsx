import { useId, useRef, useState } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { useLingui } from '@lingui/react'
import { Button } from '../../kit/button/button.tsx'
import { Progress } from '../../kit/feedback/progress.tsx'
import { usePanelFocus } from '../../kit/keyboard/focus.ts'
import { useStore } from '../../lib/create-store.ts'
import { useLocation } from '../../lib/navigation.tsx'
import { NARROW, useMediaQuery } from '../../lib/use-media-query.ts'
import { formatDuration, formatSpeed, secondsLeft } from '../../lib/speed.ts'
import type { UploadFilter } from './upload-filter.ts'
import { UploadHead } from './upload-head.tsx'
import { openCount } from './upload-item.ts'
import { UploadList } from './upload-list.tsx'
import { UploadNotes } from './upload-notes.tsx'
import { UploadTabs } from './upload-tabs.tsx'
import { summaryText, titleText } from './upload-texts.ts'
import type { UploadSnapshot } from './upload-queue.ts'
import { useLiveSummary } from './use-live-summary.ts'
import { useUploadNotice } from './use-upload-notice.ts'
import { useUploads } from './uploads-context.tsx'
import styles from './upload-panel.module.css'

/** What is going up, what has failed and what has arrived. Stays until it is closed; beside other screens it is small once nothing runs. */
export function UploadPanel() {
  const t = useText()
  const uploads = useUploads()
  const snapshot = useStore(uploads.state)
  const narrow = useMediaQuery(NARROW)
  const [open, setOpen] = useState(!narrow)
  const [asked, setAsked] = useState(false)
  const elsewhere = !useIsAmongFiles()
  const [filter, setFilter] = useState<UploadFilter>('all')
  const listId = useId()
  const box = useRef<HTMLElement>(null)
  const focus = usePanelFocus(box)
  const { totals, items } = snapshot
  const busy = totals.active + totals.waiting > 0
  useLiveSummary(busy ? summaryText(t, snapshot) : '')
  const notice = useUploadNotice(snapshot)
  const small = elsewhere && !busy
  const expand = (): void => {
    setAsked(true)
    setOpen(true)
  }
  const toggle = (): void => {
    if (small) setAsked(false)
    else setOpen(!open)
  }
  if (small && !asked) {
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

function useIsAmongFiles(): boolean {
  return useLocation().pathname.startsWith('/files')
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
        <bdi>
          {t('uploads.sentOf', { sent: format.bytes(totals.sentBytes), total: format.bytes(totals.totalBytes) })}
        </bdi>
        {totals.active > 0 && (
          <bdi>{t('uploads.speedAndTime', { speed: formatSpeed(speed.speed, locale), time: left })}</bdi>
        )}
      </p>
    </div>
  )
}
