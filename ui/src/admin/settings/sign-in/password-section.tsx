import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getSignInSettings, updateSignInSettings } from '../../../../../src/api/settings/settings.ts'
import { useClient } from '../../../api/client.ts'
import { useConfirmed } from '../../../common/confirm-prompt.tsx'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { Switch } from '../../../kit/fields/checkbox.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'

const QUERY = ['settings', 'hidePassword']

/** The form for a password, which people of providers do not need. */
export function PasswordSection() {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()
  const { data } = useQuery({
    queryKey: QUERY,
    queryFn: async ({ signal }) => (await client.call(getSignInSettings, { signal })).hidePassword,
    staleTime: 0,
  })
  if (data === undefined) return null
  const hide = async (hidePassword: boolean): Promise<void> => {
    const outcome = await confirmed({
      title: t('signin.passwordTitle'),
      text: t('signin.passwordText'),
      label: t('settings.save'),
      send: async (password) => {
        const body = { hidePassword, ...(password !== undefined && { current_password: password }) }
        await client.call(updateSignInSettings, { body })
      },
    })
    if (outcome === true) toasts.success(t('signin.saved'))
    else if (outcome !== undefined) toasts.error(problemText(t, problemOf(outcome)))
    await queries.invalidateQueries({ queryKey: QUERY })
  }
  return (
    <SettingCard title={t('login.password')}>
      <SettingRow label={t('fields.signin.hidePassword')} hint={t('providers.hidePasswordHint')}>
        {(control) => <Switch {...control} checked={data} onChange={(on) => void hide(on)} />}
      </SettingRow>
    </SettingCard>
  )
}
