import { HOOK_EVENTS, HOOK_OUTPUT, HOOK_TIMEOUT } from '../../../../../../src/domain/automation/hook.ts'
import { valueAt } from '../../../../../../src/domain/schema/schema-tools.ts'
import { useText, type MessageId } from '../../../../i18n/use-text.tsx'
import { SettingCard } from '../../../../kit/page/settings.tsx'
import { FormRow } from '../../../forms/form-row.tsx'
import { fieldsOf, type SettingsForm } from '../settings-form.tsx'
import { HookRow } from './hook-row.tsx'
import styles from './hooks.module.css'
import { useHooks, type Hooks, useHookRequest } from './use-hooks.ts'
import { type ReactNode, useState, type SubmitEvent } from 'react'
import { Button } from '../../../../kit/button/button.tsx'
import { ErrorNote } from '../../../../kit/feedback/note.tsx'
import { Select } from '../../../../kit/fields/select.tsx'
import { TextField } from '../../../../kit/fields/text-field.tsx'
import { CODE_INPUT } from '../../../../kit/fields/inputs.tsx'
import { HookLimitsFields, limitsOf, limitsProblem, type HookLimitsDraft } from './hook-limits-fields.tsx'

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

const DEFAULT_LIMITS: HookLimitsDraft = {
  timeout: HOOK_TIMEOUT.default,
  outputLimit: HOOK_OUTPUT.default,
  onFailure: 'refuse',
}

/** Form for a new hook. Errors in the command are shown at the field. */
function HookForm({ hooks }: { readonly hooks: Hooks }) {
  const t = useText()
  const [event, setEvent] = useState<string>('after_upload')
  const [line, setLine] = useState('')
  const [limits, setLimits] = useState(DEFAULT_LIMITS)
  const [problem, setProblem] = useState<ReactNode>('')
  const [wrongLimit, setWrongLimit] = useState<MessageId>()
  const { busy, send } = useHookRequest(setProblem)

  const submit = async (submitted: SubmitEvent): Promise<void> => {
    submitted.preventDefault()
    if (line.trim() === '') {
      setProblem(t('form.empty'))
      return
    }
    const chosen = limitsOf(limits)
    if (chosen === undefined) {
      setWrongLimit(limitsProblem(limits))
      return
    }
    if (await send(() => hooks.add({ event, line: line.trim(), ...chosen }))) setLine('')
  }

  return (
    <form
      className={styles['form']}
      noValidate
      aria-label={t('hooks.new')}
      onSubmit={(submitted) => void submit(submitted)}
    >
      <label className={styles['field']}>
        <span>{t('hooks.event')}</span>
        <Select
          label={t('hooks.event')}
          options={HOOK_EVENTS.map((name) => ({ value: name, label: t(eventText(name)) }))}
          value={event}
          onChange={setEvent}
        />
      </label>
      <HookLimitsFields
        event={event}
        draft={limits}
        onChange={(changed) => {
          setWrongLimit(undefined)
          setLimits(changed)
        }}
      />
      <TextField
        className={styles['command']}
        label={t('hooks.command')}
        hint={t('hooks.commandHint')}
        error={problem}
        value={line}
        {...CODE_INPUT}
        onChange={(changed) => {
          setProblem('')
          setLine(changed.currentTarget.value)
        }}
      />
      <ErrorNote>{wrongLimit && t(wrongLimit)}</ErrorNote>
      <Button type="submit" icon="plus" size="small" progress={busy ? 'busy' : 'idle'}>
        {t('hooks.add')}
      </Button>
    </form>
  )
}

const TEXTS: Readonly<Record<string, MessageId>> = {
  before_save: 'hooks.beforeSave',
  after_save: 'hooks.afterSave',
  before_copy: 'hooks.beforeCopy',
  after_copy: 'hooks.afterCopy',
  before_rename: 'hooks.beforeRename',
  after_rename: 'hooks.afterRename',
  before_upload: 'hooks.beforeUpload',
  after_upload: 'hooks.afterUpload',
  before_delete: 'hooks.beforeDelete',
  after_delete: 'hooks.afterDelete',
}

/** Label of an event: "After an upload". */
export function eventText(event: string): MessageId {
  return TEXTS[event] ?? 'hooks.title'
}
