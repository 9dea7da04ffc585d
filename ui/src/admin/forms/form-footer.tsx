import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { useLeaveGuard } from '../../files/actions/unsaved/use-leave-guard.ts'
import { useUnsavedWords } from '../../files/actions/unsaved/use-unsaved-words.ts'
import type { Form } from './use-form.ts'

interface FormFooterProps {
  readonly form: Pick<Form<unknown>, 'changed' | 'busy' | 'discard' | 'save'>
}

/** How much of a card is not saved, with the ways out; nobody leaves by mistake. The form around it saves. */
export function FormFooter({ form }: FormFooterProps) {
  const t = useText()
  const words = useUnsavedWords()
  useLeaveGuard({ dirty: true, words, save: form.save, onDiscard: form.discard })
  return (
    <>
      <span className="grow small" role="status">
        {t('settings.unsavedCount', { count: form.changed.length })}
      </span>
      <Button variant="ghost" size="small" disabled={form.busy} onClick={form.discard}>
        {words.discard}
      </Button>
      <Button variant="primary" size="small" type="submit" progress={form.busy ? 'busy' : 'idle'}>
        {words.save}
      </Button>
    </>
  )
}
