import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import type { PromptProps } from '../../kit/prompt-stack.tsx'

/** The safe answer has the focus. */
export function AbortPrompt({ close }: PromptProps<boolean>) {
  const t = useText()
  return (
    <Dialog
      alert
      title={t('uploads.abortTitle')}
      onClose={() => close()}
      footer={
        <>
          <Button data-autofocus="" onClick={() => close()}>
            {t('uploads.abortKeep')}
          </Button>
          <Button variant="danger" onClick={() => close(true)}>
            {t('uploads.cancelAll')}
          </Button>
        </>
      }
    >
      <p>{t('uploads.abortText')}</p>
    </Dialog>
  )
}
