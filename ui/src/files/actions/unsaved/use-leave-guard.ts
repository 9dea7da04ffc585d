import { type BlockerFn, useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { SessionState } from '../../../api/session.ts'
import { useSession } from '../../../api/session-context.tsx'
import { usePrompt } from '../../../kit/dialog/prompt-stack.tsx'
import { UnsavedPrompt } from './unsaved-prompt.tsx'
import type { UnsavedWords } from './unsaved-prompt.tsx'

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
  const { history } = useRouter()
  const session = useSession()
  const ask = usePrompt()
  const [ownId] = useState(() => userIdOf(session.state.get()))
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    const blockerFn: BlockerFn = async ({ currentLocation, nextLocation }) => {
      const { dirty, leaving, words, save, onDiscard } = latest.current
      const stays = currentLocation.pathname === nextLocation.pathname
      // A signed-out user cannot save any more.
      if (!dirty || leaving?.current === true || stays || session.state.get().status !== 'signed-in') return false
      const answer = await ask(UnsavedPrompt, { words })
      if (answer === 'discard') onDiscard?.()
      return answer === 'discard' ? false : answer !== 'save' || !(await save())
    }
    // Nothing of one user is kept for another one who has signed in meanwhile.
    const isOwn = (): boolean => {
      const id = userIdOf(session.state.get())
      return id !== undefined && id === ownId
    }
    return history.block({ enableBeforeUnload: () => latest.current.dirty && isOwn(), blockerFn })
  }, [ask, history, session, ownId])
  useEffect(() => session.holdFor(() => latest.current.dirty), [session])
}

function userIdOf(state: SessionState): number | undefined {
  return 'user' in state ? state.user.id : undefined
}
