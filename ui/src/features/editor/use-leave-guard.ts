import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, type RefObject } from 'react'
import { useSession } from '../../api/session-context.tsx'
import { usePrompt } from '../../kit/prompt-stack.tsx'
import { DiscardQuestion } from './prompts/questions.ts'

interface LeaveGuardOptions {
  readonly name: string
  readonly dirty: boolean
  /** Nothing is left to lose. */
  readonly leaving: RefObject<boolean>
  readonly save: () => Promise<boolean>
  /** The changes are not wanted any more. */
  readonly onDiscard: () => void
}

/** Asks before changes are lost: by another place of the app, by Back, and when the page itself goes. */
export function useLeaveGuard(options: LeaveGuardOptions): void {
  const { history } = useRouter()
  const session = useSession()
  const ask = usePrompt()
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(
    () =>
      history.block({
        enableBeforeUnload: () => latest.current.dirty,
        blockerFn: async ({ currentLocation, nextLocation }) => {
          const { name, dirty, leaving, save, onDiscard } = latest.current
          const stays = currentLocation.pathname === nextLocation.pathname
          // Whoever is signed out cannot save any more; the draft waits in the browser.
          if (!dirty || leaving.current || stays || session.state.get().status !== 'signed-in') return false
          const answer = await ask(DiscardQuestion, { name })
          if (answer === 'discard') onDiscard()
          return answer === 'discard' ? false : answer !== 'save' || !(await save())
        },
      }),
    [ask, history, session],
  )
}
