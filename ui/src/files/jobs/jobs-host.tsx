import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../../api/client.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { LazyBoundary, lazyComponent } from '../../kit/lazy-component.tsx'
import { useStore } from '../../lib/create-store.ts'
import { NARROW, useMediaQuery } from '../../lib/hooks.ts'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import { type Activity, isSending } from '../actions/batches/activity.ts'
import { useFileActions } from '../actions/file-actions-context.tsx'
import { jobsQuery } from '../queries/jobs-query.ts'
import { useReportLoadFailure } from '../../common/use-report-load-failure.ts'
import { type FinishNotice, useFinishNotice } from '../actions/batches/use-finish-notice.ts'
import { type ActivityRow, activityRows, checksumRows, isLong, isOpen, rowTitle } from './activity-rows.ts'
import { ROOT } from '../../../../src/domain/files/virtual-path.ts'
import styles from './jobs-panel.module.css'

const JobsPanel = lazyComponent(async () => (await import('./jobs-panel.tsx')).JobsPanel)

/** The panel of running and finished operations, and its button in the header. Hidden while there are none. */
export function JobsHost() {
  const { activity } = useFileActions()
  const { rows, checksums } = useRows(activity)
  const notice = useFinishNotice(useNavigateTo())
  const open = useStore(activity.open)
  const running = rows.filter(isOpen).length
  const reportLoadFailure = useReportLoadFailure()
  useOpenForNew(activity, rows)
  useLeaveWarning(activity)
  useJobNotices([...rows, ...checksums], notice)
  if (rows.length === 0) return null
  return (
    <>
      <ActivityButton running={running} open={open} onToggle={() => activity.open.set(!open)} />
      {open && (
        <LazyBoundary
          onError={() => {
            activity.open.set(false)
            reportLoadFailure()
          }}
        >
          <JobsPanel rows={rows} activity={activity} notice={notice} />
        </LazyBoundary>
      )}
    </>
  )
}

function ActivityButton({ running, open, onToggle }: { running: number; open: boolean; onToggle: () => void }) {
  const t = useText()
  const narrow = useMediaQuery(NARROW)
  const label = t('jobs.title')
  const props = { icon: 'jobs', className: styles['button'], 'aria-expanded': open, onClick: onToggle } as const
  if (narrow) return <IconButton {...props} label={label} />
  return (
    <Button {...props}>
      {label}
      {running > 0 && <span className={styles['count']}>{running}</span>}
    </Button>
  )
}

/** Milliseconds. */
const TICK = 500

/** Jobs of the server and batches of this page. A timer updates them, since a batch gets a row only after a while. */
function useRows(activity: Activity): Readonly<Record<'rows' | 'checksums', readonly ActivityRow[]>> {
  const client = useClient()
  const { data: jobs = [] } = useQuery({ ...jobsQuery(client), staleTime: Infinity })
  const batches = useStore(activity.batches)
  const [now, setNow] = useState(() => Date.now())
  const since = useStore(activity.clearedAt)
  const running = batches.some(({ state }) => state === 'running')
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), TICK)
    return () => clearInterval(timer)
  }, [running])
  return { rows: activityRows(batches, jobs, { now, since }), checksums: checksumRows(jobs) }
}

/** Opens the panel for each new job that takes long; once closed, it stays closed until the next one. */
function useOpenForNew(activity: Activity, rows: readonly ActivityRow[]): void {
  const shown = useRef(new Set<string>())
  useEffect(() => {
    for (const row of rows) {
      if (!isOpen(row) || shown.current.has(row.key)) continue
      shown.current.add(row.key)
      activity.open.set(true)
    }
  })
}

/** Leaving the page would lose the requests that it has not sent yet. Jobs on the server would continue. */
function useLeaveWarning(activity: Activity): void {
  const unfinished = useStore(activity.batches, isSending)
  useEffect(() => {
    if (!unfinished) return
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [unfinished])
}

/** Notifies when a long job ends, unless the user cancelled it. */
function useJobNotices(rows: readonly ActivityRow[], notice: FinishNotice): void {
  const t = useText()
  const open = useRef(new Set<string>())
  useEffect(() => {
    for (const row of rows) {
      if (isOpen(row)) open.current.add(row.key)
      else if (open.current.delete(row.key) && row.state !== 'cancelled' && isLong(row, Date.now())) {
        const { failed, folder = ROOT } = row
        const body = failed.length > 0 ? t('jobs.failed', { count: failed.length }) : undefined
        notice.notify({ title: rowTitle(t, row), body, folder })
      }
    }
  })
}
