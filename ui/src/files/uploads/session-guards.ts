import { useEffect } from 'react'
import { useSession } from '../../api/session.ts'
import { useText } from '../../i18n/use-text.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { useLatest } from '../../lib/hooks.ts'
import type { Uploads } from './uploads.ts'
import { ApiError } from '../../api/api-error.ts'

const AbortPrompt = lazyPrompt(async () => (await import('./panel/abort-prompt.tsx')).AbortPrompt)

/** Signing out asks first and cancels the uploads; a session that ends otherwise only pauses them. */
export function useSessionEnd(uploads: Uploads, userId: number): void {
  const session = useSession()
  const ask = usePrompt()
  const toasts = useToasts()
  const text = useLatest(useText())
  useEffect(
    () =>
      session.beforeSignOut(async () => {
        if (uploads.isOpen() && (await ask(AbortPrompt, { leaving: true })) !== true) return false
        await uploads.end()
        return true
      }),
    [session, uploads, ask],
  )
  useEffect(() => session.suspendIf(uploads.busy), [session, uploads])
  useEffect(
    () =>
      session.state.subscribe(() => {
        const now = session.state.get()
        if (now.status === 'signed-in' && now.user.id === userId) uploads.queue.resumeAll('session')
        if (now.status !== 'signed-out' && now.status !== 'suspended') return
        if (uploads.busy()) toasts.info(text.current('uploads.pausedBySession'))
        uploads.queue.pauseAll('session')
      }),
    [session, uploads, userId, toasts, text],
  )
}

const CHECK_INTERVAL = 60_000
const RENEW_BEFORE_END = 10 * 60_000

/**
 * Keeps the token from expiring while something runs. The server offers a renewal only in its responses, and sending a
 * large file may take longer than a token lasts.
 */
export function useKeepSignedIn(active: boolean): void {
  const session = useSession()
  useEffect(() => {
    if (!active) return
    const timer = setInterval(() => {
      const state = session.state.get()
      if (state.status !== 'signed-in' || state.expiresAt - Date.now() > RENEW_BEFORE_END) return
      void session.renew().catch(ignoreRefusal)
    }, CHECK_INTERVAL)
    return () => clearInterval(timer)
  }, [active, session])
}

/** After a refusal the session signs the user out. After a lost connection the next minute brings another try. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}

/** Makes the browser ask before the page is closed during uploads, unless the session has ended anyway. */
export function useLeaveWarning({ state }: Uploads): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      const { totals, pausedBy } = state.get()
      if (totals.active + totals.waiting > 0 && pausedBy !== 'session') event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [state])
}
