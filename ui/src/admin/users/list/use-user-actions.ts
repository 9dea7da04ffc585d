import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { revokeSessions } from '../../../../../src/api/accounts/sessions.ts'
import { deleteUser, updateUser } from '../../../../../src/api/accounts/users.ts'
import type { Permission } from '../../../../../src/domain/access/permissions.ts'
import type { UserView } from '../../../../../src/domain/accounts/user.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { type MessageId, useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { withPermission, PERMISSION_TEXTS } from '../../forms/permission-fields.tsx'
import { refusalOf } from '../../../common/refusal.tsx'
import { useConfirmed } from '../../../common/confirm-prompt.tsx'

/** Why an action failed for one of the selected users. */
export interface UserProblem {
  readonly name: string
  readonly text: ReactNode
}

interface Step {
  readonly title: string
  readonly text?: string | undefined
  readonly label: string
  readonly danger?: boolean
  readonly always?: boolean
  readonly sensitive?: boolean
  readonly success: MessageId
  readonly act: (user: UserView, currentPassword: string | undefined) => Promise<unknown>
}

/**
 * Actions on one or several users, run one after the other. Failures are reported at the end and do not stop the rest.
 */
export function useUserActions(onDone: () => void) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()
  const [problems, setProblems] = useState<readonly UserProblem[]>([])

  async function each(users: readonly UserView[], { act, success, ...question }: Step): Promise<void> {
    const failed: UserProblem[] = []
    const send = async (currentPassword: string | undefined): Promise<void> => {
      failed.length = 0
      for (const user of users) {
        await act(user, currentPassword).catch((error: unknown) => {
          // A wrong password, too many attempts or a lost connection fails for all users alike.
          if (!(error instanceof ApiError) || isForAll(error)) throw error
          failed.push({ name: user.username, text: refusalOf(error) })
        })
      }
    }
    const outcome = await confirmed({ ...question, send }).finally(() => {
      void queries.invalidateQueries({ queryKey: ['users'] })
      void queries.invalidateQueries({ queryKey: ['sessions'] })
    })
    if (outcome === undefined) return
    if (outcome !== true) {
      setProblems([{ name: users.map(({ username }) => username).join(', '), text: refusalOf(outcome) }])
      return
    }
    setProblems(failed)
    const count = users.length - failed.length
    if (count > 0) toasts.success(t(success, { count }))
    if (failed.length === 0) onDone()
  }

  const write = async (user: UserView, which: string, value: unknown, password: string | undefined) =>
    await client.call(updateUser, {
      params: { id: String(user.id) },
      body: { what: 'user', which: [which], current_password: password, data: { ...user, [which]: value } },
    })

  const naming = (users: readonly UserView[]) => ({ count: users.length, name: users[0]?.username ?? '' })

  return {
    problems,
    forgetProblems: () => setProblems([]),
    remove: async (users: readonly UserView[]) =>
      await each(users, {
        title: t('users.deleteTitle', naming(users)),
        text: t('users.deleteText', naming(users)),
        label: t('users.delete', naming(users)),
        danger: true,
        always: true,
        success: 'users.deleted',
        act: async ({ id }, password) =>
          await client.call(deleteUser, { params: { id: String(id) }, body: { current_password: password } }),
      }),
    lock: async (users: readonly UserView[], locked: boolean) =>
      await each(users, {
        title: t(locked ? 'users.lockTitle' : 'users.unlockTitle', naming(users)),
        label: t(locked ? 'users.lock' : 'users.unlock'),
        success: 'users.changed',
        act: async (user, password) => await write(user, 'lockPassword', locked && !user.perm.admin, password),
      }),
    permit: async (users: readonly UserView[], permission: Permission, on: boolean) =>
      await each(users, {
        title: t(on ? 'users.grantTitle' : 'users.revokeTitle', naming(users)),
        text: t(PERMISSION_TEXTS[permission].label),
        label: t(on ? 'users.grant' : 'users.revoke'),
        success: 'users.changed',
        act: async (user, password) => await write(user, 'perm', withPermission(user.perm, permission, on), password),
      }),
    signOut: async (users: readonly UserView[]) =>
      await each(users, {
        title: t('users.signOutTitle', naming(users)),
        text: t('users.signOutText'),
        label: t('users.signOut'),
        always: true,
        sensitive: false,
        success: 'users.signedOutNow',
        act: async ({ id }) => await client.call(revokeSessions, { query: { userId: id } }),
      }),
  }
}

export type UserActions = ReturnType<typeof useUserActions>

function isForAll({ status, field }: ApiError): boolean {
  return status === 0 || status === 401 || status === 429 || field === 'current_password'
}
