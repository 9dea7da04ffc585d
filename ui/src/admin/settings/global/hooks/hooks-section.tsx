import { HOOK_EVENTS } from '../../../../../../src/domain/automation/hook.ts'
import { valueAt } from '../../../../../../src/domain/schema/schema-tools.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { SettingCard } from '../../../../kit/page/settings.tsx'
import { FormRow } from '../../../forms/form-row.tsx'
import { fieldsOf, type SettingsForm } from '../settings-form.tsx'
import { HookForm, eventText } from './hook-form.tsx'
import { HookRow } from './hook-row.tsx'
import styles from './hooks.module.css'
import { useHooks } from './use-hooks.ts'

/** Programs that run before and after file actions. Changes are saved at once; only the shell setting needs the save bar. */
export function HooksSection({ form }: { readonly form: SettingsForm }) {
  const t = useText()
  const hooks = useHooks()
  const events = HOOK_EVENTS.filter((event) => hooks.list.some((hook) => hook.event === event))
  return (
    <SettingCard title={t('hooks.title')} hint={t('hooks.hint')}>
      {events.map((event) => (
        <div key={event} className={styles['event']} role="group" aria-label={t(eventText(event))}>
          <h3>{t(eventText(event))}</h3>
          <ol>
            {hooks.list
              .filter((hook) => hook.event === event)
              .map((hook, _index, all) => (
                <HookRow key={hook.id} hook={hook} peers={all} hooks={hooks} />
              ))}
          </ol>
        </div>
      ))}
      <HookForm hooks={hooks} />
      {fieldsOf('commands', true).map((field) => (
        <FormRow
          key={field.key}
          field={field}
          value={valueAt(form.value, field.leaf.path)}
          onChange={(value) => form.set(field, value)}
          error={form.errorOf(field)}
        />
      ))}
    </SettingCard>
  )
}
