import { useQueryClient } from '@tanstack/react-query'
import { deleteUser } from '../../../../../src/api/users.ts'
import type { UserView } from '../../../../../src/domain/user.ts'
import type { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client-context.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { problemOf, problemText } from '../../../files/actions/problem-text.ts'
import { useConfirmed } from '../../../files/actions/use-confirmed.ts'
import { sentence } from '../../../lib/sentence.ts'
import type { UserForm } from './use-user-form.ts'

/** Deletes the account of a form, once somebody has said that it is meant; then the list of users is next. */
export function useDeleteUser(form: UserForm): (user: UserView) => Promise<void> {
  const t = useText()
  const client = useClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()
  const queries = useQueryClient()
  // The server says what to do, such as about the last administrator.
  const explain = (error: ApiError): string =>
    error.status === 403 ? `${t('users.forbidden')} ${sentence(error.message)}` : problemText(t, problemOf(error))
  return async ({ id, username }) => {
    const naming = { count: 1, name: username }
    const outcome = await confirmed({
      title: t('users.deleteTitle', naming),
      text: t(form.isSelf ? 'users.deleteSelfText' : 'users.deleteText', naming),
      label: t('users.delete', naming),
      danger: true,
      always: true,
      explain,
      send: async (password) => {
        await client.call(deleteUser, { params: { id: String(id) }, body: { current_password: password } })
      },
    })
    if (outcome !== true) return
    toasts.success(t('users.deleted', naming))
    form.leave('/settings/users')
    void queries.invalidateQueries({ queryKey: ['users'], exact: true })
  }
}
