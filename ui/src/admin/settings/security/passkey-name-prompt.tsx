import { useState } from 'react'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'

const MAX_NAME = 64

/** Asks for the name of a passkey. */
export function PasskeyNamePrompt({ name, close }: { readonly name: string } & PromptProps<string>) {
  const t = useText()
  const [typed, setTyped] = useState(name)
  const submit = (): void => {
    if (typed.trim() !== '') close(typed.trim())
  }
  return (
    <Dialog
      title={t('security.passkeyName')}
      onClose={() => close()}
      onSubmit={submit}
      footer={
        <Button variant="primary" type="submit" disabled={typed.trim() === ''}>
          {t('settings.save')}
        </Button>
      }
    >
      <TextField
        label={t('tokens.name')}
        value={typed}
        maxLength={MAX_NAME}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Dialog>
  )
}
