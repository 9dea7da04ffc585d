import { formatValue } from '../../../../src/domain/schema/parse-value.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Dialog, DialogLead } from '../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import type { FormField } from '../../../../src/domain/schema/forms.ts'
import type { FieldConflict } from './form-model.ts'
import styles from './field-conflict-prompt.module.css'
import { useFieldTexts } from './form-text.ts'

interface FieldConflictQuestion {
  /** Fields that both users changed. */
  readonly conflicts: readonly FieldConflict<FormField>[]
  readonly form?: string | undefined
}

/** Asks what to do when another user saved while this form was open. */
export function FieldConflictPrompt({
  conflicts,
  form,
  close,
}: FieldConflictQuestion & PromptProps<'reload' | 'overwrite'>) {
  const t = useText()
  const texts = useFieldTexts(form)
  const show = ({ field }: FieldConflict<FormField>, value: unknown): string => {
    if (typeof value === 'boolean') return value ? t('form.on') : t('form.off')
    if (field.widget === 'choice') return texts(field).choice(String(value))
    return formatValue(field.leaf, value) || t('form.nothing')
  }
  return (
    <Dialog
      alert
      size="medium"
      title={t('form.conflictTitle')}
      onClose={() => close()}
      footer={
        <>
          <DialogLead>
            <Button variant="danger-quiet" onClick={() => close('reload')}>
              {t('form.reload')}
            </Button>
          </DialogLead>
          <Button data-autofocus="" onClick={() => close()}>
            {t('files.cancel')}
          </Button>
          <Button variant="primary" onClick={() => close('overwrite')}>
            {t('form.overwrite')}
          </Button>
        </>
      }
    >
      <p>{t('form.conflictText')}</p>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{t('form.setting')}</th>
            <th scope="col">{t('form.mine')}</th>
            <th scope="col">{t('form.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map((conflict) => (
            <tr key={conflict.field.key}>
              <th scope="row">{texts(conflict.field).label}</th>
              <td dir="auto">{show(conflict, conflict.ownValue)}</td>
              <td dir="auto">{show(conflict, conflict.savedValue)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
