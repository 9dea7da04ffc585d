import { useEffect, useState } from 'react'
import { useConfig } from '../api/page-config.tsx'
import { useSession } from '../api/session.ts'
import { lazyPrompt, usePromptStack } from '../kit/dialog/prompt-stack.tsx'
import { createSessionWatch } from './create-session-watch.ts'

const SessionEnd = lazyPrompt(async () => (await import('./session-end-prompt.tsx')).SessionEndPrompt)
const SignInAgain = lazyPrompt(async () => (await import('./sign-in-again-prompt.tsx')).SignInAgainPrompt)

/** Warns before the session ends, and asks to sign in again where something would be lost. Renders nothing. */
export function SessionExpiry() {
  const session = useSession()
  const { open, ask } = usePromptStack()
  const { LoginPage } = useConfig()
  const [watch] = useState(() =>
    createSessionWatch({
      session,
      warn: async () => await ask(SessionEnd, {}),
      signInAgain: async (user, reason) => {
        if (LoginPage) await ask(SignInAgain, { username: user.username, reason })
      },
    }),
  )
  useEffect(() => {
    // An open dialog may contain unsaved input.
    const stopSuspending = session.suspendIf(() => open.get().some(({ Component }) => Component !== SessionEnd))
    const stop = session.state.subscribe(watch.check)
    watch.check()
    // Timers stop while the computer sleeps.
    addEventListener('focus', watch.check)
    document.addEventListener('visibilitychange', watch.check)
    return () => {
      stopSuspending()
      stop()
      watch.stop()
      removeEventListener('focus', watch.check)
      document.removeEventListener('visibilitychange', watch.check)
    }
  }, [session, open, watch])
  return null
}
