import { useEffect } from 'react'
import { useSession } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { AbortPrompt } from './abort-prompt.tsx'
import { useLatest } from '../../lib/use-latest.ts'
import type { Uploads } from './uploads.ts'

/** Signing out asks first and gives the uploads up; a session that was ended elsewhere only holds them. */
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
  useEffect(() => session.holdFor(uploads.busy), [session, uploads])
  useEffect(
    () =>
      session.state.subscribe(() => {
        const now = session.state.get()
        if (now.status === 'signed-in' && now.user.id === userId) uploads.queue.release('session')
        if (now.status !== 'signed-out' && now.status !== 'held') return
        if (uploads.busy()) toasts.info(text.current('uploads.heldBySession'))
        uploads.queue.hold('session')
      }),
    [session, uploads, userId, toasts, text],
  )
}
