import { useEffect } from 'react'
import { useSession } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { usePrompt } from '../../kit/prompt-stack.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { AbortQuestion } from './ask-abort.ts'
import { useLatest } from './use-latest.ts'
import type { Uploads } from './uploads.ts'

/** Uploads end with the session: signing out asks first, and a session that was ended elsewhere takes them along. */
export function useSessionEnd(uploads: Uploads): void {
  const session = useSession()
  const ask = usePrompt()
  const toasts = useToasts()
  const text = useLatest(useText())
  useEffect(
    () =>
      session.beforeSignOut(async () => {
        if (!uploads.busy()) return true
        const sure = (await ask(AbortQuestion, { leaving: true })) === true
        if (sure) uploads.end()
        return sure
      }),
    [session, uploads, ask],
  )
  useEffect(
    () =>
      session.state.subscribe(() => {
        const signedOut = session.state.get().status === 'signed-out'
        if (signedOut && uploads.end()) toasts.info(text.current('uploads.endedWithSession'))
      }),
    [session, uploads, toasts, text],
  )
}
