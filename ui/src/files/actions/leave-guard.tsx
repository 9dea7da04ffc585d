import { type RefObject, useEffect, useRef, useState } from 'react'
import { type SessionState, useSession } from '../../api/session.ts'
import { type PromptProps, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Dialog, DialogLead } from '../../kit/dialog/dialog.tsx'
import { useNavigation } from '../../lib/navigation/navigation.tsx'

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

/** Asks before unsaved changes are lost by navigation, Back or closing the page. */
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
  useEffect(() => session.suspendIf(() => latest.current.dirty), [session])
}

function userIdOf(state: SessionState): number | undefined {
  return 'user' in state ? state.user.id : undefined
}

export interface UnsavedWords {
  readonly title: string
  readonly text: string
  readonly cancel: string
  readonly discard: string
  readonly save: string
}

interface UnsavedQuestion {
  readonly words: UnsavedWords
}

/** What becomes of changes that are not saved. The answer that keeps them has the focus. */
export function UnsavedPrompt({ words, close }: UnsavedQuestion & PromptProps<'save' | 'discard'>) {
  return (
    <Dialog
      alert
      title={words.title}
      onClose={() => close()}
      footer={
        <>
          <DialogLead>
            <Button variant="danger-quiet" onClick={() => close('discard')}>
              {words.discard}
            </Button>
          </DialogLead>
          <Button onClick={() => close()}>{words.cancel}</Button>
          <Button variant="primary" data-autofocus="" onClick={() => close('save')}>
            {words.save}
          </Button>
        </>
      }
    >
      <p>{words.text}</p>
    </Dialog>
  )
}
