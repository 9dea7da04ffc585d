import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { getAllSettings } from '../../../../../src/api/settings/settings.ts'
import { createUser, getUser, updateUser } from '../../../../../src/api/accounts/users.ts'
import type { OpenSettings } from '../../../../../src/domain/settings/settings.ts'
import { isSensitive, type UserView } from '../../../../../src/domain/accounts/user.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { useSession, useUser } from '../../../api/session.ts'
import { useText, type MessageId } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { useConfirmed } from '../../../common/confirm-prompt.tsx'
import { saveConfirmed, useForm } from '../../forms/use-form.ts'
import { useReportFailure } from '../../forms/use-report-failure.ts'
import { fieldOfError } from '../../forms/form-model.ts'
import {
  type DraftField,
  type DraftProblem,
  draftOf,
  draftProblems,
  fieldNamed,
  newDraft,
  recordOf,
  USER_FIELDS,
  type UserDraft,
} from './user-draft.ts'

interface UserFormValue {
  /** The saved user; undefined for a new one. */
  readonly user: UserView | undefined
  readonly settings: OpenSettings
  readonly draft: UserDraft
}

export interface UserForm extends UserFormValue {
  readonly isNew: boolean
  readonly isSelf: boolean
  readonly changed: readonly DraftField[]
  /** The server has refused to save, or there is a problem that prevents it. */
  readonly wrong: boolean
  readonly refused: ApiError | undefined
  readonly busy: boolean
  /** Where to go after the account was created or deleted. */
  readonly next: string | undefined
  errorOf(field: DraftField): ReactNode
  set(change: Partial<UserDraft>): void
  discard(): void
  save(): Promise<boolean>
  leave(to: string): void
}

/** Form of an account; without an id, of a new one. Undefined until the server has answered. */
export function useUserForm(id: number | undefined): UserForm | undefined {
  const t = useText()
  const client = useClient()
  const session = useSession()
  const self = useUser()?.id
  const toasts = useToasts()
  const confirmed = useConfirmed()
  const reportFailure = useReportFailure()
  const queries = useQueryClient()
  const isNew = id === undefined
  const isSelf = !isNew && id === self
  const [next, setNext] = useState<string>()
  const load = async (signal: AbortSignal): Promise<UserFormValue> => {
    const [settings, user] = await Promise.all([
      client.call(getAllSettings, { signal }),
      isNew ? undefined : client.call(getUser, { params: { id: String(id) }, signal }),
    ])
    const draft = user === undefined ? newDraft(settings.defaults, settings.createUserDir) : draftOf(user)
    return { user, settings, draft }
  }

  const create = async (draft: UserDraft, password: string | undefined): Promise<string> => {
    const body = { what: 'user', which: [], current_password: password, data: recordOf(draft) }
    const { location } = await client.versioned(createUser, { body })
    return location && /^\/settings\/users\/\d+$/.test(location) ? location : '/settings/users'
  }

  const update = async (
    draft: UserDraft,
    changed: readonly DraftField[],
    password: string | undefined,
  ): Promise<void> => {
    // Send only changed fields, so that other users' changes are kept.
    const which = changed.filter((field) => field !== 'createUserDir')
    const body = { what: 'user', which, current_password: password, data: { id, ...recordOf(draft) } }
    await client.call(updateUser, { params: { id: String(id) }, body })
  }

  const save = async ({ draft }: UserFormValue, changed: readonly DraftField[]): Promise<boolean> => {
    let newPath: string | undefined
    const isSaved = await saveConfirmed(
      confirmed({
        title: t(isNew ? 'users.createTitle' : 'users.saveTitle', { name: draft.username.trim() }),
        label: t(isNew ? 'users.create' : 'users.save'),
        sensitive: isNew || isSensitive(changed),
        send: async (password) => {
          if (isNew) newPath = await create(draft, password)
          else await update(draft, changed, password)
        },
      }),
    )
    if (!isSaved) return false
    setNext(newPath)
    // The page reads the user's own account from the token.
    if (isSelf) await session.renew().catch(ignoreRefusal)
    return true
  }

  const form = useForm<UserFormValue, (typeof USER_FIELDS)[number]>({
    queryKey: ['users', id ?? 'new', 'form'],
    fields: USER_FIELDS,
    load: async (signal) => ({ value: await load(signal), etag: null }),
    problemsOf({ draft, settings: { minimumPasswordLength } }, _changed, tried) {
      const problems = tried ? draftProblems(draft, { isNew, minimumPasswordLength }) : []
      return new Map(
        [...problems].map(([name, problem]) => [name, t(TEXTS[problem], { minimum: minimumPasswordLength })] as const),
      )
    },
    save: async (value, _etag, changed) => await save(value, namesOf(changed)),
    onSaved() {
      toasts.success(t(isNew ? 'users.created' : 'users.changed', { count: 1 }))
      void queries.invalidateQueries({ queryKey: ['users'], exact: true })
      void queries.invalidateQueries({ queryKey: ['users', self], exact: true })
      void queries.invalidateQueries({ queryKey: ['roots'], exact: true })
      void queries.invalidateQueries({ queryKey: ['quotas'] })
    },
    report(error) {
      if (!(error instanceof ApiError)) reportFailure(error)
    },
  })
  if (form.value === undefined) return undefined
  return {
    ...form.value,
    isNew,
    isSelf,
    next,
    changed: next === undefined ? namesOf(form.changed) : [],
    wrong: form.problems.size > 0 || form.refused !== undefined,
    refused: form.refused,
    busy: form.busy,
    errorOf: (field) => form.errorOf(fieldNamed(field)),
    set(change) {
      for (const [name, value] of Object.entries(change)) form.set(fieldNamed(name as DraftField), value)
    },
    discard: form.discard,
    save: form.save,
    leave(to) {
      form.discard()
      setNext(to)
    },
  }
}

function namesOf(fields: typeof USER_FIELDS): DraftField[] {
  return fields.map(({ key }) => key)
}

/**
 * An administrator who removed their own permission is already signed out. Without a connection, the next answer
 * triggers another renewal.
 */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}

const TEXTS: Readonly<Record<DraftProblem, MessageId>> = {
  nameEmpty: 'users.nameEmpty',
  passwordEmpty: 'users.passwordEmpty',
  passwordShort: 'users.passwordShort',
  scopeEmpty: 'users.scopeEmpty',
  noSize: 'form.size',
  noNumber: 'form.number',
}

/** Fields that show their own errors. Other errors are shown above the form. */
const FIELDS_WITH_ERRORS: readonly string[] = [
  'username',
  'password',
  'scope',
  'commands',
  'rules',
  'permissionRules',
  'places',
  'quota',
  'quotaFiles',
] satisfies DraftField[]

/** Whether an error concerns no field of the form. */
export function isForForm({ field }: ApiError): boolean {
  return !FIELDS_WITH_ERRORS.includes(fieldOfError(USER_FIELDS, field)?.key ?? '')
}
