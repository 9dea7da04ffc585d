import { Button } from '../../../kit/button/button.tsx'
import { Dialog, DialogLead } from '../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'

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
