import { usePageTitle } from '../../api/use-page-title.ts'
import { useText } from '../../i18n/use-text.tsx'

/** Everybody who has an account. */
export function UsersPage() {
  const t = useText()
  usePageTitle(t('users.title'))
  return <h1>{t('users.title')}</h1>
}
