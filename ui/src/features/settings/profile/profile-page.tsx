import { usePageTitle } from '../../../api/use-page-title.ts'
import { useText } from '../../../i18n/use-text.tsx'

/** What somebody sets for himself. */
export function ProfilePage() {
  const t = useText()
  usePageTitle(t('profile.title'))
  return <h1>{t('profile.title')}</h1>
}
