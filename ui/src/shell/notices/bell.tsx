import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { isOver } from '../../../../src/domain/automation/job.ts'
import type { Notice } from '../../../../src/domain/automation/notice.ts'
import { useClient } from '../../api/client.ts'
import { useLiveEvent } from '../../api/live-events.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { Later } from '../../kit/later.tsx'
import { useLatest } from '../../lib/hooks.ts'
import { Arrivals, arrivalsText } from './arrivals-notice.ts'
import styles from './bell.module.css'
import { noticesQuery } from './notices-query.ts'

const NoticesPrompt = lazyPrompt(async () => (await import('./notices-prompt.tsx')).NoticesPrompt)

/** Opens the list of what the user may have missed, and shows how much of it is new. */
export function Bell() {
  const t = useText()
  const ask = usePrompt()
  const { number } = useFormat()
  const { data = [] } = useQuery({ ...noticesQuery(useClient()), enabled: false })
  const count = data.filter(({ isNew }) => isNew).length
  const open = async (): Promise<void> => {
    const follow = await ask(NoticesPrompt, {})
    // Waits until the list has closed and returned the focus: what follows may be a prompt.
    setTimeout(() => follow?.())
  }
  return (
    <>
      <IconButton
        className={styles['bell']}
        icon="bell"
        label={count > 0 ? t('shell.newNotices', { count }) : t('shell.notices')}
        aria-haspopup="dialog"
        data-count={count > 0 ? number(count) : undefined}
        onClick={() => void open()}
      />
      <Later>
        <NoticesWatch />
      </Later>
    </>
  )
}

/** Milliseconds to wait for more. */
const DELAY = 2000

/** Fetches the notices, and tells of new ones while the page is open. */
function NoticesWatch() {
  const t = useText()
  const ask = usePrompt()
  const toasts = useToasts()
  const announce = useAnnounce()
  const queries = useQueryClient()
  const { data } = useQuery(noticesQuery(useClient()))
  const told = useRef<number>(undefined)
  useLiveEvent('job', (job) => {
    if (isOver(job)) void queries.invalidateQueries({ queryKey: ['notices'] })
  })
  const tell = (notice: Notice): void => {
    if (notice.kind !== 'arrivals') return
    const run = () => void ask(Arrivals, { share: notice })
    toasts.info(arrivalsText(t, notice), { action: { label: t('uploads.showArrived'), run } })
  }
  const check = useLatest((notices: readonly Notice[]) => {
    const since = told.current
    told.current = notices.reduce((latest, { at }) => Math.max(latest, at), since ?? 0)
    // The number says what is new since the last visit.
    if (since === undefined) return
    const fresh = notices.filter(({ isNew, at }) => isNew && at > since)
    for (const notice of fresh) tell(notice)
    if (fresh.some(({ kind }) => kind !== 'arrivals')) announce(t('shell.newNotices', { count: fresh.length }))
  })
  useEffect(() => {
    if (data === undefined) return
    if (told.current === undefined) return check.current(data)
    const timer = setTimeout(() => check.current(data), DELAY)
    return () => clearTimeout(timer)
  }, [data, check])
  return null
}
