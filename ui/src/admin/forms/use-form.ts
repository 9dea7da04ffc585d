import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import type { Versioned } from '../../api/client.ts'
import type { Confirmed } from '../../common/confirm-prompt.tsx'
import { refusalOf } from '../../common/refusal.tsx'
import {
  changedFields,
  type Edit,
  editShown,
  type Field,
  type FieldConflict,
  fieldConflicts,
  fieldOfError,
  rebased,
  withValue,
} from './form-model.ts'

export interface FormOptions<Value extends object, F extends Field> {
  readonly queryKey: readonly unknown[]
  readonly fields: readonly F[]
  /** Without an ETag, the last save of each field wins. */
  load(signal: AbortSignal): Promise<Versioned<Value>>
  /**
   * What is wrong with the value before it is sent, by key of the field.
   *
   * @param tried the user has tried to save
   */
  problemsOf(value: Value, changed: readonly F[], tried: boolean): ReadonlyMap<string, string>
  /**
   * @param changed the edited fields
   * @returns false if the user cancelled
   * @throws ApiError with status 412 if another user has saved meanwhile
   */
  save(value: Value, etag: string | null, changed: readonly F[]): Promise<boolean>
  /** Asks about fields that another user has changed as well. Undefined saves nothing. */
  settle?(conflicts: readonly FieldConflict<F>[]): Promise<'reload' | 'overwrite' | undefined>
  onSaved(): void
  /** Shows an error of saving that belongs to no field. */
  report(error: unknown): void
}

/** An object that is loaded, edited field by field, and saved unless another user has changed it meanwhile. */
export interface Form<Value, F extends Field> {
  /** The edited value; undefined while it loads. */
  readonly value: Value | undefined
  readonly changed: readonly F[]
  readonly busy: boolean
  /** By key of the field. */
  readonly problems: ReadonlyMap<string, string>
  /** Why the server rejected the last attempt to save. */
  readonly refused: ApiError | undefined
  /** The error message of a field. */
  errorOf(field: F): ReactNode
  set(field: F, value: unknown): void
  discard(): void
  /** @returns whether everything is saved; if not, the user has been shown why */
  save(): Promise<boolean>
  /** Loads it again and keeps the edits. */
  reload(): Promise<void>
}

export function useForm<Value extends object, F extends Field>(options: FormOptions<Value, F>): Form<Value, F> {
  const { queryKey, fields, load, problemsOf, save: send, settle, onSaved, report } = options
  const queries = useQueryClient()
  const [edit, setEdit] = useState<Edit<Value>>()
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<ApiError>()
  const [busy, setBusy] = useState(false)
  const query = { queryKey, queryFn: ({ signal }: { signal: AbortSignal }) => load(signal), staleTime: 0 }
  const { data } = useQuery({ ...query, throwOnError: (_error, { state }) => state.data === undefined })
  const current = useMemo(() => data && editShown(fields, edit, data), [edit, data, fields])
  const changed = useMemo(
    () => (current === undefined ? [] : changedFields(fields, current.base.value, current.draft)),
    [current, fields],
  )
  const problems = current === undefined ? new Map<string, string>() : problemsOf(current.draft, changed, tried)

  /** @returns what to save after another user has saved; undefined to save nothing */
  const merge = async ({ base, draft }: Edit<Value>): Promise<Edit<Value> | undefined> => {
    const saved = await queries.query(query)
    const disputed = fieldConflicts(fields, base.value, draft, saved.value)
    const answer = disputed.length > 0 ? await settle?.(disputed) : 'overwrite'
    if (answer === 'reload') setEdit(undefined)
    return answer === 'overwrite' ? { base: saved, draft: rebased(fields, base.value, draft, saved.value) } : undefined
  }

  const attempt = async (sent: Edit<Value>): Promise<boolean> => {
    try {
      const touched = changedFields(fields, sent.base.value, sent.draft)
      if (!(await send(sent.draft, sent.base.etag, touched))) return false
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error
      const merged = await merge(sent)
      if (merged === undefined) return false
      setEdit((now) => withTypedMeanwhile(now, sent, merged))
      return await attempt(merged)
    }
    setTried(false)
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
    problems,
    refused,
    errorOf(field) {
      const problem = problems.get(field.key)
      if (problem !== undefined || refused === undefined) return problem
      return fieldOfError(fields, refused.field)?.key === field.key ? refusalOf(refused) : undefined
    },
    set(field, value) {
      setRefused(undefined)
      setEdit((before) => {
        const start = data && editShown(fields, before, data)
        return start && { ...start, draft: withValue(start.draft, field.leaf.path, value) }
      })
    },
    discard() {
      setRefused(undefined)
      setTried(false)
      setEdit(undefined)
    },
    reload: async () => await queries.invalidateQueries({ queryKey }),
    async save() {
      if (current === undefined || busy) return false
      const isWrong = problemsOf(current.draft, changed, true).size > 0
      if (!isWrong && changed.length === 0) return false
      setTried(true)
      setRefused(undefined)
      if (isWrong) return false
      setBusy(true)
      setEdit(current)
      try {
        return await attempt(current)
      } catch (error) {
        if (error instanceof ApiError) setRefused(error)
        if (!(error instanceof ApiError) || fieldOfError(fields, error.field) === undefined) report(error)
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}

/** Converts the result of a password prompt for `useForm`. @returns false when the user cancelled @throws ApiError */
export async function saveConfirmed(outcome: ReturnType<Confirmed>): Promise<boolean> {
  const ended = await outcome
  if (ended instanceof ApiError) throw ended
  return ended === true
}
