import { useProductName } from '../../../api/config.tsx'
import { usePageTitle } from '../../../api/use-page-title.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Page } from '../../../kit/page.tsx'
import { AppearanceCard } from './appearance-card.tsx'
import { FilesCard } from './files-card.tsx'
import { usePreferences } from './use-preferences.ts'

/** What somebody sets for himself. Each change takes effect at once, in all windows. */
export function ProfilePage() {
  const t = useText()
  const product = useProductName()
  const preferences = usePreferences()
  usePageTitle(t('profile.title'))
  return (
    <Page title={t('profile.title')} hint={t('profile.text', { product })}>
      <AppearanceCard {...preferences} />
      <FilesCard {...preferences} />
    </Page>
  )
}
