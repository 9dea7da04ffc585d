import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button.tsx'
import { Dialog, DialogLead } from '../../../kit/dialog.tsx'
import type { PromptProps } from '../../../kit/prompt-stack.tsx'

interface DiscardQuestion {
  readonly name: string
}

/** What becomes of changes that are not saved. The answer that keeps them has the focus. */
export function DiscardPrompt({ name, close }: DiscardQuestion & PromptProps<'save' | 'discard'>) {
  const t = useText()
  return (
    <Dialog
      alert
      title={t('editor.discardTitle', { name })}
      onClose={() => close()}
      footer={
        <>
          <DialogLead>
            <Button variant="danger-quiet" onClick={() => close('discard')}>
              {t('editor.discard')}
            </Button>
          </DialogLead>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" data-autofocus="" onClick={() => close('save')}>
            {t('editor.save')}
          </Button>
        </>
      }
    >
      <p>{t('editor.discardText')}</p>
    </Dialog>
  )
}
