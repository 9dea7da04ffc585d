import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { FormField } from '../../../../src/domain/schema/forms.ts'
import { valueAt } from '../../../../src/domain/schema/schema-tools.ts'
import { ApiError } from '../../api/api-error.ts'
import type { Versioned } from '../../api/client.ts'
import { useText } from '../../i18n/use-text.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { sentence } from '../../lib/format.ts'
import { changedFields, fieldConflicts, fieldOfError, rebased, withValue, fieldProblem } from './form-model.ts'
import { useReportFailure } from './use-report-failure.ts'
import { Button } from '../../kit/button/button.tsx'
import { useLeaveGuard } from '../../common/leave-guard.tsx'
import { useUnsavedTexts } from './unsaved-changes.tsx'
import type { Confirmed } from '../../common/confirm-prompt.tsx'

const FieldConflictQuestion = lazyPrompt(async () => (await import('./field-conflict-prompt.tsx')).FieldConflictPrompt)

interface FormOptions<Value extends Readonly<Record<string, unknown>>> {
  readonly queryKey: readonly unknown[]
  readonly fields: readonly FormField[]
  /** Which form this is; see `fieldTextId`. */
  readonly form?: string | undefined
  load(signal: AbortSignal): Promise<Versioned<Value>>
  /**
   * @param changed the edited fields
   * @returns false if the user cancelled
   * @throws ApiError with status 412 if another user has saved meanwhile
   */
  save(value: Value, etag: string | null, changed: readonly FormField[]): Promise<boolean>
  onSaved(): void
}

/** An object that is loaded, edited field by field, and saved unless another user has changed it meanwhile. */
export interface Form<Value> {
  /** The edited value; undefined while it loads. */
  readonly value: Value | undefined
  readonly changed: readonly FormField[]
  readonly busy: boolean
  /** Why the server rejected a field. */
  readonly refused: ApiError | undefined
  /** The error message of a field. */
  errorOf(field: FormField): string | undefined
  set(field: FormField, value: unknown): void
  discard(): void
  /** @returns whether everything is saved; if not, the user has been shown why */
  save(): Promise<boolean>
  /** Loads it again and keeps the edits. */
  reload(): Promise<void>
}

interface Edit<Value> {
  readonly base: Versioned<Value>
  readonly draft: Value
}

interface Refusal {
  readonly key: string
  readonly error: ApiError
}

export function useForm<Value extends Readonly<Record<string, unknown>>>(options: FormOptions<Value>): Form<Value> {
  const { queryKey, fields, form, load, save: send, onSaved } = options
  const t = useText()
  const ask = usePrompt()
  const queries = useQueryClient()
  const reportFailure = useReportFailure()
  const [edit, setEdit] = useState<Edit<Value>>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [busy, setBusy] = useState(false)
  const query = { queryKey, queryFn: ({ signal }: { signal: AbortSignal }) => load(signal), staleTime: 0 }
  const { data } = useQuery({ ...query, throwOnError: (_error, { state }) => state.data === undefined })
  const changed = useMemo(() => (edit ? changedFields(fields, edit.base.value, edit.draft) : []), [edit, fields])
  // A field reset to its saved value follows changes of other users again.
  const current = changed.length > 0 ? edit : data && { base: data, draft: data.value }

  const problemOf = (field: FormField): string | undefined => {
    if (!changed.includes(field) || edit === undefined) return undefined
    const problem = fieldProblem(field, valueAt(edit.draft, field.leaf.path))
    return problem && t(problem.id, problem.values)
  }

  const refuse = (error: unknown): void => {
    const field = error instanceof ApiError && error.status === 400 ? fieldOfError(fields, error.field) : undefined
    if (field !== undefined && error instanceof ApiError) {
      setRefusal({ key: field.key, error })
    } else reportFailure(error)
  }

  /**
   * Another user has saved meanwhile: merges changes to different fields, and asks about the same ones.
   *
   * @returns what to save now; undefined to save nothing
   */
  const settle = async ({ base, draft }: Edit<Value>): Promise<Edit<Value> | undefined> => {
    const saved = await queries.query(query)
    const disputed = fieldConflicts(fields, base.value, draft, saved.value)
    const answer = disputed.length > 0 ? await ask(FieldConflictQuestion, { conflicts: disputed, form }) : 'overwrite'
    if (answer === 'reload') setEdit(undefined)
    return answer === 'overwrite' ? { base: saved, draft: rebased(fields, base.value, draft, saved.value) } : undefined
  }

  const attempt = async (sent: Edit<Value>): Promise<boolean> => {
    try {
      const touched = changedFields(fields, sent.base.value, sent.draft)
      if (!(await send(sent.draft, sent.base.etag, touched))) return false
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error
      const settled = await settle(sent)
      if (settled === undefined) return false
      setEdit((now) => withTypedMeanwhile(now, sent, settled))
      return await attempt(settled)
    }
    await queries.invalidateQueries({ queryKey })
    const base = queries.getQueryData<Versioned<Value>>(queryKey)
    setEdit((now) => base && withTypedMeanwhile(now, sent, { base, draft: base.value }))
    onSaved()
    return true
  }

  /** Keeps what was typed while `sent` was being saved. */
  const withTypedMeanwhile = (
    now: Edit<Value> | undefined,
    { draft: sent }: Edit<Value>,
    { base, draft }: Edit<Value>,
  ): Edit<Value> | undefined => now && { base, draft: rebased(fields, sent, now.draft, draft) }

  return {
    value: current?.draft,
    changed,
    busy,
    refused: refusal?.error,
    errorOf: (field) => problemOf(field) ?? (refusal?.key === field.key ? sentence(refusal.error.message) : undefined),
    set(field, value) {
      setRefusal(undefined)
      setEdit((before) => {
        const isEdited = before && changedFields(fields, before.base.value, before.draft).length > 0
        const start = isEdited ? before : data && { base: data, draft: data.value }
        return start && { ...start, draft: withValue(start.draft, field.leaf.path, value) }
      })
    },
    discard() {
      setRefusal(undefined)
      setEdit(undefined)
    },
    reload: async () => await queries.invalidateQueries({ queryKey }),
    async save() {
      if (edit === undefined || busy || changed.some((field) => problemOf(field) !== undefined)) return false
      setBusy(true)
      try {
        return await attempt(edit)
      } catch (error) {
        refuse(error)
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}

interface FormFooterProps {
  readonly form: Pick<Form<unknown>, 'changed' | 'busy' | 'discard' | 'save'>
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

/** Converts the result of a password prompt for `useForm`. @returns false when the user cancelled @throws ApiError */
export async function saveConfirmed(outcome: ReturnType<Confirmed>): Promise<boolean> {
  const ended = await outcome
  if (ended instanceof ApiError) throw ended
  return ended === true
}
