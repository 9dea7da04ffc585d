import { useEffect, useRef } from 'react'
import { useClient } from '../../api/client.ts'
import { useText } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { Portal } from '../../kit/page/portal.tsx'
import { usePanelFocus } from '../../kit/keyboard/focus.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import type { Activity } from '../actions/batches/activity.ts'
import type { FinishNotice } from '../actions/batches/use-finish-notice.ts'
import { cancelJobs } from '../queries/jobs-query.ts'
import { type ActivityRow, isLong, isOpen, rowTitle } from './activity-rows.ts'
import { JobRow } from './job-row.tsx'
import styles from './jobs-panel.module.css'

interface JobsPanelProps {
  readonly rows: readonly ActivityRow[]
  readonly activity: Activity
  readonly notice: FinishNotice
}

/** Running and finished operations. */
export function JobsPanel({ rows, activity, notice }: JobsPanelProps) {
  const t = useText()
  const client = useClient()
  const navigateTo = useNavigateTo()
  const announce = useAnnounce()
  const box = useRef<HTMLElement>(null)
  const focus = usePanelFocus(box)
  const [first] = rows
  const title = first === undefined ? '' : rowTitle(t, first)
  useEffect(() => announce(title), [announce, title])
  const cancel = ({ batch, openJobs }: ActivityRow): void => {
    if (batch !== undefined) activity.controls(batch)?.cancel()
    else cancelJobs(client, openJobs)
  }
  return (
    <Portal to="panels">
      <section ref={box} className={styles['panel']} aria-label={t('jobs.title')} tabIndex={-1} {...focus}>
        <div className={styles['head']}>
          <h2>{t('jobs.title')}</h2>
          {notice.mayAsk && rows.some((row) => isOpen(row) && isLong(row, Date.now())) && (
            <Button variant="ghost" size="small" onClick={() => notice.answer(true)}>
              {t('uploads.noticeYes')}
            </Button>
          )}
          {rows.some((row) => !isOpen(row)) && (
            <Button variant="ghost" size="small" onClick={activity.clearEnded}>
              {t('jobs.clear')}
            </Button>
          )}
          <IconButton icon="x" size="small" label={t('jobs.close')} onClick={() => activity.open.set(false)} />
        </div>
        <ul className={styles['rows']}>
          {rows.map((row) => (
            <JobRow
              key={row.key}
              row={row}
              onCancel={() => cancel(row)}
              onRetry={row.batch === undefined ? undefined : activity.controls(row.batch)?.retry}
              onShow={({ folder }) => navigateTo(filesHref(folder === '/' ? folder : `${folder}/`))}
            />
          ))}
        </ul>
      </section>
    </Portal>
  )
}
