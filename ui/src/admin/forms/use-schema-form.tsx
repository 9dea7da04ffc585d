import type { FormField } from '../../../../src/domain/schema/forms.ts'
import { valueAt } from '../../../../src/domain/schema/schema-tools.ts'
import { useLeaveGuard } from '../../common/leave-guard.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { fieldProblem } from './form-model.ts'
import { useUnsavedTexts } from './unsaved-changes.tsx'
import { type Form, type FormOptions, useForm } from './use-form.ts'
import { useReportFailure } from './use-report-failure.ts'

const FieldConflictQuestion = lazyPrompt(async () => (await import('./field-conflict-prompt.tsx')).FieldConflictPrompt)

export type SchemaForm<Value> = Form<Value, FormField>

interface SchemaFormOptions<Value extends object> extends Omit<
  FormOptions<Value, FormField>,
  'problemsOf' | 'settle' | 'report'
> {
  /** Which form this is; see `fieldTextId`. */
  readonly form?: string | undefined
}

/** A form whose fields come from a schema, which also says what is wrong with them while they are edited. */
export function useSchemaForm<Value extends object>({ form, ...options }: SchemaFormOptions<Value>): SchemaForm<Value> {
  const t = useText()
  const ask = usePrompt()
  const report = useReportFailure()
  return useForm<Value, FormField>({
    ...options,
    problemsOf: (value, changed) =>
      new Map(
        changed.flatMap((field) => {
          const problem = fieldProblem(field, valueAt(value, field.leaf.path))
          return problem === undefined ? [] : [[field.key, t(problem.id, problem.values)] as const]
        }),
      ),
    settle: async (conflicts) => await ask(FieldConflictQuestion, { conflicts, form }),
    report,
  })
}

interface FormFooterProps {
  readonly form: Pick<SchemaForm<unknown>, 'changed' | 'busy' | 'discard' | 'save'>
}

/** Number of unsaved changes with Save and Discard buttons; asks before leaving. The form around it handles saving. */
export function FormFooter({ form }: FormFooterProps) {
  const t = useText()
  const texts = useUnsavedTexts()
  useLeaveGuard({ dirty: true, texts, save: form.save, onDiscard: form.discard })
  return (
    <>
      <span className="grow small" role="status">
        {t('settings.unsavedCount', { count: form.changed.length })}
      </span>
      <Button variant="ghost" size="small" disabled={form.busy} onClick={form.discard}>
        {texts.discard}
      </Button>
      <Button variant="primary" size="small" type="submit" progress={form.busy ? 'busy' : 'idle'}>
        {texts.save}
      </Button>
    </>
  )
}
