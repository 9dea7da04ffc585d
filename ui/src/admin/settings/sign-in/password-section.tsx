import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getSignInSettings } from '../../../../../src/api/settings/settings.ts'
import { useClient } from '../../../api/client.ts'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { Switch } from '../../../kit/fields/checkbox.tsx'
import { SettingCard, SettingRow } from '../../../kit/page/settings.tsx'
import { useSaveSignIn } from './use-save-sign-in.ts'

const QUERY = ['settings', 'hidePassword']

/** The form for a password, which people of providers do not need. */
export function PasswordSection() {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const save = useSaveSignIn()
  const { data } = useQuery({
    queryKey: QUERY,
    queryFn: async ({ signal }) => (await client.call(getSignInSettings, { signal })).hidePassword,
    staleTime: 0,
  })
  if (data === undefined) return null
  const hide = async (hidePassword: boolean): Promise<void> => {
    const outcome = await save({ hidePassword })
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
