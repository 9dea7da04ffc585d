import { useMutation, useQueryClient } from '@tanstack/react-query'
import { recountQuota } from '../../../../../src/api/access/quotas.ts'
import { UserPatch } from '../../../../../src/domain/accounts/user.ts'
import type { QuotaView } from '../../../../../src/domain/access/quota.ts'
import { formOf } from '../../../../../src/domain/schema/forms.ts'
import { useClient } from '../../../api/client.ts'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { QuotaMeter } from '../../../files/storage/meter.tsx'
import { FormRow } from '../../forms/form-row.tsx'
import { useQuotas } from '../use-users.ts'
import type { UserForm } from './use-user-form.ts'
import type { QuotaField } from './user-draft.ts'

const FIELDS = formOf(UserPatch)
  .flatMap(({ fields }) => fields)
  .filter(({ key }) => key === 'quota' || key === 'quotaFiles')

/** The user's quota, and how much of it is used. */
export function StorageCard({ form }: { readonly form: UserForm }) {
  const t = useText()
  const { draft, user, set } = form
  const { quota = 0, quotaFiles = 0 } = user?.effective ?? user ?? {}
  const hasQuota = quota + quotaFiles > 0
  return (
    <SettingCard title={t('shell.storage')}>
      {FIELDS.map((field) => {
        const key = field.key as QuotaField
        return (
          <FormRow
            key={key}
            field={field}
            value={draft[key]}
            onChange={(value) => set({ [key]: value })}
            error={form.errorOf(key)}
          />
        )
      })}
      {hasQuota && user !== undefined && <UsedRow userId={user.id} />}
    </SettingCard>
  )
}

/** What is used now, with a button to count again. */
function UsedRow({ userId }: { readonly userId: number }) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const quota = useQuotas()?.find((each) => each.userId === userId)
  const recount = useMutation({
    mutationFn: async () => await client.call(recountQuota, { params: { id: String(userId) } }),
    onSuccess: (counted) => {
      const withCounted = (all: readonly QuotaView[] = []) =>
        all.map((each) => (each.userId === userId ? counted : each))
      queries.setQueryData(['quotas'], withCounted)
    },
    onError: (error: Error) => toasts.error(problemText(t, problemOf(error))),
  })
  if (quota === undefined) return null
  const hints = [
    ...(quota.by === undefined ? [] : [t('users.quotaBy', { groups: quota.by.join(', ') })]),
    ...(quota.used === null ? [t('users.quotaNotCounted')] : []),
  ]
  return (
    <SettingRow label={t('users.quotaUsed')} hint={hints.join(' ')} wide>
      {quota.used !== null && <QuotaMeter quota={{ used: quota.used, limit: quota.limit }} />}
      <Button size="small" progress={recount.isPending ? 'busy' : 'idle'} onClick={() => recount.mutate()}>
        {t('users.quotaRecount')}
      </Button>
    </SettingRow>
  )
}
