import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { listArrivals } from '../../../../src/api/shares/shares.ts'
import { mayDo } from '../../../../src/domain/access/permissions.ts'
import type { ShareDetails } from '../../../../src/domain/shares/share.ts'
import { useClient } from '../../api/client.ts'
import { useLiveEvent } from '../../api/live-events.ts'
import { useUser } from '../../api/session.ts'
import { useText } from '../../i18n/use-text.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { receivingQuery } from '../queries/shares-query.ts'
import { useLatest } from '../../lib/hooks.ts'

const Arrivals = lazyPrompt(async () => (await import('./prompts/arrivals-prompt.tsx')).ArrivalsPrompt)

/** Milliseconds to wait for more files. */
const DELAY = 2000

/** Notifies the user of files that visitors send through links, now and since the last visit. Renders nothing. */
export function ArrivalNotices() {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const ask = usePrompt()
  const user = useUser()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const enabled = user !== undefined && mayDo(user.perm, 'shares.manage')
  const id = user?.id

  const showNotice = async (share: ShareDetails, since: number): Promise<void> => {
    const all = await client.call(listArrivals, { params: { hash: share.hash } })
    const fresh = all.filter(({ arrived }) => arrived > since)
    const [first] = fresh
    if (first === undefined) return
    const { name, from } = first
    const isOne = fresh.length === 1 && from !== ''
    const text = isOne ? t('uploads.arrivedFrom', { name, from }) : t('uploads.arrived', { count: fresh.length })
    toasts.info(text, { action: { label: t('uploads.showArrived'), run: () => void ask(Arrivals, { share }) } })
  }

  const check = async (): Promise<void> => {
    const key = `filemgr:arrived:${id}`
    const shares = (await queries.query(receivingQuery(client))).filter(({ userID }) => userID === id)
    const latest = shares.reduce((time, { lastArrived }) => Math.max(time, lastArrived), 0)
    const known = localStorage.getItem(key)
    localStorage.setItem(key, String(Math.max(latest, Number(known))))
    if (known === null) return
    for (const share of shares) if (share.lastArrived > Number(known)) await showNotice(share, Number(known))
  }
  const latest = useLatest(check)
  // Without a connection, the next event checks again.
  const checkNow = (): void => void latest.current().catch(() => undefined)
  useLiveEvent('shares', () => {
    clearTimeout(timer.current)
    if (enabled) timer.current = setTimeout(checkNow, DELAY)
  })
  useEffect(() => {
    if (enabled) void latest.current().catch(() => undefined)
    return () => clearTimeout(timer.current)
  }, [enabled, id, latest])
  return null
}
