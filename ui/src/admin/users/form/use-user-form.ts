import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getAllSettings } from '../../../../../src/api/settings/settings.ts'
import { createUser, getUser, updateUser } from '../../../../../src/api/accounts/users.ts'
import type { OpenSettings } from '../../../../../src/domain/settings/settings.ts'
import { isSensitive, type UserView } from '../../../../../src/domain/accounts/user.ts'
import { cleanVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { useSession, useUser } from '../../../api/session.ts'
import { useText, type MessageId, type Translate } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { useConfirmed } from '../../../common/confirm-prompt.tsx'
import {
  changedFields,
  type DraftField,
  type DraftProblem,
  draftOf,
  draftProblems,
  editsSince,
  newDraft,
  recordOf,
  type UserDraft,
} from './user-draft.ts'
import { sentence } from '../../../lib/format.ts'

export interface UserForm {
  readonly isNew: boolean
  readonly isSelf: boolean
  /** The saved user. */
  readonly user: UserView | undefined
  readonly draft: UserDraft
  readonly settings: OpenSettings
  readonly changed: readonly DraftField[]
  readonly problems: ReadonlyMap<DraftField, DraftProblem>
  /** The error of the last attempt to save. */
  readonly refusal: ApiError | undefined
  readonly busy: boolean
  /** The scope of the signed-in administrator. */
  readonly ownScope: string | undefined
  /** Where to go after the account was created or deleted. */
  readonly next: string | undefined
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
  const queries = useQueryClient()
  const isNew = id === undefined
  const [edits, setEdits] = useState<Partial<UserDraft>>({})
  const [checked, setChecked] = useState(false)
  const [refusal, setRefusal] = useState<ApiError>()
  const [busy, setBusy] = useState(false)
  const [next, setNext] = useState<string>()
  const { data: user } = useQuery({
    queryKey: ['users', id],
    queryFn: ({ signal }) => client.call(getUser, { params: { id: String(id) }, signal }),
    enabled: !isNew && next === undefined,
    throwOnError: (_error, query) => query.state.data === undefined,
    staleTime: 0,
  })
  const { data: settings } = useQuery({
    queryKey: ['settings', 'for users'],
    queryFn: ({ signal }) => client.call(getAllSettings, { signal }),
    throwOnError: (_error, query) => query.state.data === undefined,
    staleTime: 0,
  })
  const { data: own } = useQuery({
    queryKey: ['users', self],
    queryFn: ({ signal }) => client.call(getUser, { params: { id: String(self) }, signal }),
    throwOnError: false,
  })
  if (settings === undefined || (!isNew && user === undefined)) return undefined

  const saved = user === undefined ? newDraft(settings.defaults, settings.createUserDir) : draftOf(user)
  const draft = { ...saved, ...edits }
  const changed = next === undefined ? changedFields(saved, draft) : []
  const problems = draftProblems(draft, { isNew, minimumPasswordLength: settings.minimumPasswordLength })

  const create = async (password: string | undefined): Promise<string> => {
    const body = { what: 'user', which: [], current_password: password, data: recordOf(draft) }
    const { location } = await client.versioned(createUser, { body })
    return location && /^\/settings\/users\/\d+$/.test(location) ? location : '/settings/users'
  }

  const update = async (password: string | undefined): Promise<void> => {
    // Send only changed fields, so that other users' changes are kept.
    const which = changed.filter((field) => field !== 'createUserDir')
    const body = { what: 'user', which, current_password: password, data: { id, ...recordOf(draft) } }
    await client.call(updateUser, { params: { id: String(id) }, body })
  }

  const save = async (): Promise<boolean> => {
    setChecked(true)
    setRefusal(undefined)
    if (problems.size > 0) return false
    setBusy(true)
    let newPath: string | undefined
    const outcome = await confirmed({
      title: t(isNew ? 'users.createTitle' : 'users.saveTitle', { name: draft.username.trim() }),
      label: t(isNew ? 'users.create' : 'users.save'),
      sensitive: isNew || isSensitive(changed),
      send: async (password) => {
        if (isNew) newPath = await create(password)
        else await update(password)
      },
    })
    setBusy(false)
    if (outcome instanceof ApiError) setRefusal(outcome)
    if (outcome !== true) return false
    toasts.success(t(isNew ? 'users.created' : 'users.changed', { count: 1 }))
    setNext(newPath)
    setChecked(false)
    await queries.invalidateQueries({ queryKey: ['users'] })
    void queries.invalidateQueries({ queryKey: ['quotas'] })
    if (!isNew) setEdits((now) => editsSince(draft, now))
    // The page reads the user's own account from the token.
    if (id !== undefined && id === self) await session.renew().catch(ignoreRefusal)
    return true
  }

  return {
    isNew,
    user,
    draft,
    settings,
    changed,
    refusal,
    busy,
    next,
    save,
    ownScope: own && cleanVirtualPath(own.scope),
    isSelf: id !== undefined && id === self,
    problems: checked ? problems : new Map<DraftField, DraftProblem>(),
    set(change) {
      setEdits((before) => ({ ...before, ...change }))
      setRefusal(undefined)
    },
    discard() {
      setEdits({})
      setChecked(false)
      setRefusal(undefined)
    },
    leave(to) {
      setEdits({})
      setNext(to)
    },
  }
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
  'quota',
  'quotaFiles',
] satisfies DraftField[]

/** The error of a field, from validation or from the server. */
export function problemOfField(t: Translate, form: UserForm, field: DraftField): string | undefined {
  const problem = form.problems.get(field)
  if (problem !== undefined) return t(TEXTS[problem], { minimum: form.settings.minimumPasswordLength })
  const { refusal } = form
  return refusal !== undefined && fieldOf(refusal) === field ? sentence(refusal.message) : undefined
}

/** Whether an error concerns no field of the form. */
export function isForForm(refusal: ApiError): boolean {
  return !FIELDS_WITH_ERRORS.includes(fieldOf(refusal) ?? '')
}

/** The server also names parts, such as "rules.2". */
function fieldOf({ field }: ApiError): string | undefined {
  return field?.split('.')[0]
}
