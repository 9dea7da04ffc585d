import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button.tsx'
import type { Form } from './use-form.ts'

/** How much is not saved, with the ways out. The form around it saves. */
export function FormFooter({ form }: { readonly form: Pick<Form<unknown>, 'changed' | 'busy' | 'discard'> }) {
  const t = useText()
  return (
    <>
      <span className="grow small" role="status">
        {t('form.changes', { count: form.changed.length })}
      </span>
      <Button variant="ghost" size="small" disabled={form.busy} onClick={form.discard}>
        {t('form.discard')}
      </Button>
      <Button variant="primary" size="small" type="submit" progress={form.busy ? 'busy' : 'idle'}>
        {t('form.save')}
      </Button>
    </>
  )
}
