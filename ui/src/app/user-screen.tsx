import { usePageTitle } from '../api/use-page-title.ts'
import { useText } from '../i18n/use-text.tsx'

/** The form of one account; the address "new" is for one that is not there yet. */
export function UserScreen() {
  const t = useText()
  usePageTitle(t('users.one'))
  return <h1>{t('users.one')}</h1>
}
