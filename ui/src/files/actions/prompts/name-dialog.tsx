import type { FocusEventHandler } from 'react'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'

export interface NameDialogProps {
  readonly title: string
  /** Of the button that does it. */
  readonly confirm: string
  readonly name: string
  /** What is wrong with the name; null while nothing is. */
  readonly problem: string | null
  readonly isBusy: boolean
  readonly disabled?: boolean
  readonly onName: (name: string) => void
  readonly onFocus?: FocusEventHandler<HTMLInputElement>
  readonly onSubmit: () => void
  readonly onClose: () => void
}

/** Asks for the name of a file or folder. */
export function NameDialog(props: NameDialogProps) {
  const { title, confirm, name, problem, isBusy, disabled = false, onName, onFocus, onSubmit, onClose } = props
  const t = useText()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={onSubmit}
      footer={
        <>
          <Button onClick={onClose}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" disabled={disabled} progress={isBusy ? 'busy' : 'idle'}>
            {confirm}
          </Button>
        </>
      }
    >
      <TextField
        label={t('files.name')}
        value={name}
        error={problem}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        data-autofocus=""
        onFocus={onFocus}
        onChange={(event) => onName(event.currentTarget.value)}
      />
    </Dialog>
  )
}
