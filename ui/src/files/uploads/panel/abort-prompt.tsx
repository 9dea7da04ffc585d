import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { type PromptProps, usePrompt } from '../../../kit/dialog/prompt-stack.tsx'
import type { Uploads } from '../uploads.ts'

/** Asks before running uploads are cancelled. */
export function useAbortAll(uploads: Uploads): () => void {
  const ask = usePrompt()
  return () => {
    void ask(AbortPrompt, {}).then((sure) => {
      if (sure === true) uploads.abortAll()
    })
  }
}

interface AbortPromptProps {
  /** The user is about to sign out, which cancels them. */
  readonly leaving?: boolean
}

/** The safe answer has the focus. */
export function AbortPrompt({ leaving = false, close }: AbortPromptProps & PromptProps<boolean>) {
  const t = useText()
  return (
    <Dialog
      alert
      title={t(leaving ? 'uploads.leaveTitle' : 'uploads.abortTitle')}
      onClose={() => close()}
      footer={
        <>
          <Button data-autofocus="" onClick={() => close()}>
            {t('uploads.abortKeep')}
          </Button>
          <Button variant="danger" onClick={() => close(true)}>
            {t(leaving ? 'shell.logout' : 'uploads.cancelAll')}
          </Button>
        </>
      }
    >
      <p>{t('uploads.abortText')}</p>
    </Dialog>
  )
}
