import type { ShareDetails } from '../../../../../src/domain/share.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { shareName } from '../share-name.ts'

interface DeleteSharesPromptProps extends PromptProps<boolean> {
  readonly shares: readonly ShareDetails[]
}

/** Asks before links stop to work: the same one is never given again. The safe button has the focus. */
export function DeleteSharesPrompt({ shares, close }: DeleteSharesPromptProps) {
  const t = useText()
  const count = shares.length
  const name = (shares[0] && shareName(shares[0])) || t('files.root')
  return (
    <Dialog
      alert
      title={t('shares.deleteTitle', { count, name })}
      onClose={() => close()}
      footer={
        <>
          <Button data-autofocus="" onClick={() => close()}>
            {t('shares.keep', { count })}
          </Button>
          <Button variant="danger" onClick={() => close(true)}>
            {t('shares.delete', { count })}
          </Button>
        </>
      }
    >
      <p>{t('shares.deleteText', { count })}</p>
    </Dialog>
  )
}
