import { type RefObject, useEffect, useRef, useState } from 'react'
import type { SessionState } from '../../../api/session.ts'
import { useSession } from '../../../api/session-context.tsx'
import { usePrompt } from '../../../kit/dialog/prompt-stack.tsx'
import { useNavigation } from '../../../lib/navigation.tsx'
import { UnsavedPrompt, type UnsavedWords } from './unsaved-prompt.tsx'

interface LeaveGuardOptions {
  /** Something would be lost. */
  readonly dirty: boolean
  readonly words: UnsavedWords
  /** Resolves with whether it is saved now. */
  readonly save: () => Promise<boolean>
  /** The changes are not wanted any more. */
  readonly onDiscard?: (() => void) | undefined
  /** Nothing is left to lose, although the last render said so. */
  readonly leaving?: RefObject<boolean> | undefined
}

/** Asks before changes are lost: by another place of the app, by Back, and when the page itself goes. */
export function useLeaveGuard(options: LeaveGuardOptions): void {
  const { history } = useNavigation()
  const session = useSession()
  const ask = usePrompt()
  const [ownId] = useState(() => userIdOf(session.state.get()))
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    return history.guard({
      hasUnsavedChanges() {
        const { dirty, leaving } = latest.current
        // A user who is signed out cannot save any more.
        return dirty && leaving?.current !== true && session.state.get().status === 'signed-in'
      },
      async mayLeave() {
        const { words, save, onDiscard } = latest.current
        const answer = await ask(UnsavedPrompt, { words })
        if (answer === 'discard') onDiscard?.()
        return answer === 'discard' || (answer === 'save' && (await save()))
      },
      warnsBeforeUnload() {
        const id = userIdOf(session.state.get())
        // When another user has signed in meanwhile, nothing of the first one is kept.
        return latest.current.dirty && id !== undefined && id === ownId
      },
    })
  }, [ask, history, session, ownId])
  useEffect(() => session.holdFor(() => latest.current.dirty), [session])
}

function userIdOf(state: SessionState): number | undefined {
  return 'user' in state ? state.user.id : undefined
}
