import { formatValue } from '../../../../src/domain/schema/parse-value.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Dialog, DialogLead } from '../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import type { Clash } from './form-model.ts'
import styles from './clash-prompt.module.css'
import { useFieldWords } from './form-text.ts'

interface ClashQuestion {
  /** Fields that both users changed. */
  readonly clashes: readonly Clash[]
  readonly form?: string | undefined
}

/** Asks what to do when another user saved while this form was open. */
export function ClashPrompt({ clashes, form, close }: ClashQuestion & PromptProps<'reload' | 'overwrite'>) {
  const t = useText()
  const words = useFieldWords(form)
  const show = ({ field }: Clash, value: unknown): string => {
    if (typeof value === 'boolean') return value ? t('form.on') : t('form.off')
    if (field.widget === 'choice') return words(field).choice(String(value))
    return formatValue(field.leaf, value) || t('form.nothing')
  }
  return (
    <Dialog
      alert
      size="medium"
      title={t('form.clashTitle')}
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
      <p>{t('form.clashText')}</p>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">{t('form.setting')}</th>
            <th scope="col">{t('form.mine')}</th>
            <th scope="col">{t('form.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {clashes.map((clash) => (
            <tr key={clash.field.key}>
              <th scope="row">{words(clash.field).label}</th>
              <td dir="auto">{show(clash, clash.mine)}</td>
              <td dir="auto">{show(clash, clash.theirs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
