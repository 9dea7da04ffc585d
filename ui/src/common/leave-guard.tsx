import { type RefObject, useEffect, useState } from 'react'
import { userIdOf, useSession } from '../api/session.ts'
import { type PromptProps, usePrompt } from '../kit/dialog/prompt-stack.tsx'
import { Button } from '../kit/button/button.tsx'
import { Dialog, DialogLead } from '../kit/dialog/dialog.tsx'
import { useLatest } from '../lib/hooks.ts'
import { useNavigation } from '../lib/navigation/navigation.tsx'

interface LeaveGuardOptions {
  /** There are unsaved changes. */
  readonly dirty: boolean
  readonly texts: UnsavedTexts
  /** Resolves with whether the changes are saved. */
  readonly save: () => Promise<boolean>
  /** Called when the user discards the changes. */
  readonly onDiscard?: (() => void) | undefined
  /** True once nothing is left to lose, even if the last render had unsaved changes. */
  readonly leaving?: RefObject<boolean> | undefined
}

/** Asks before unsaved changes are lost by navigation, Back or closing the page. */
export function useLeaveGuard(options: LeaveGuardOptions): void {
  const { history } = useNavigation()
  const session = useSession()
  const ask = usePrompt()
  const [ownId] = useState(() => userIdOf(session.state.get()))
  const latest = useLatest(options)
  useEffect(() => {
    return history.guard({
      hasUnsavedChanges() {
        const { dirty, leaving } = latest.current
        // A signed-out user can no longer save.
        return dirty && leaving?.current !== true && session.state.get().status === 'signed-in'
      },
      async mayLeave() {
        const { texts, save, onDiscard } = latest.current
        const answer = await ask(UnsavedPrompt, { texts })
        if (answer === 'discard') onDiscard?.()
        return answer === 'discard' || (answer === 'save' && (await save()))
      },
      warnsBeforeUnload() {
        const id = userIdOf(session.state.get())
        // If another user has signed in meanwhile, the changes of the first are not kept.
        return latest.current.dirty && id !== undefined && id === ownId
      },
    })
  }, [ask, history, session, ownId, latest])
  useEffect(() => session.suspendIf(() => latest.current.dirty), [session, latest])
}

export interface UnsavedTexts {
  readonly title: string
  readonly text: string
  readonly cancel: string
  readonly discard: string
  readonly save: string
}

interface UnsavedQuestion {
  readonly texts: UnsavedTexts
}

/** Asks what to do with unsaved changes. The button that saves them has the focus. */
export function UnsavedPrompt({ texts, close }: UnsavedQuestion & PromptProps<'save' | 'discard'>) {
  return (
    <Dialog
      alert
      title={texts.title}
      onClose={() => close()}
      footer={
        <>
          <DialogLead>
            <Button variant="danger-quiet" onClick={() => close('discard')}>
              {texts.discard}
            </Button>
          </DialogLead>
          <Button onClick={() => close()}>{texts.cancel}</Button>
          <Button variant="primary" data-autofocus="" onClick={() => close('save')}>
            {texts.save}
          </Button>
        </>
      }
    >
      <p>{texts.text}</p>
    </Dialog>
  )
}
