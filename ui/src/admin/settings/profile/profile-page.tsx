import { useConfig, useProductName } from '../../../api/config.tsx'
import { useUser } from '../../../api/session-context.tsx'
import { usePageTitle } from '../../../api/use-page-title.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { DevicesCard } from '../devices/devices-card.tsx'
import { PasswordCard } from '../password/password-card.tsx'
import { AppearanceCard } from './appearance-card.tsx'
import { FilesCard } from './files-card.tsx'
import { usePreferences } from './use-preferences.ts'

/** What somebody sets for himself. Each change takes effect at once, in all windows. */
export function ProfilePage() {
  const t = useText()
  const product = useProductName()
  const preferences = usePreferences()
  const { NoAuth } = useConfig()
  const lockPassword = useUser()?.lockPassword
  usePageTitle(t('profile.title'))
  return (
    <Page title={t('profile.title')} hint={t('profile.text', { product })}>
      <AppearanceCard {...preferences} />
      <FilesCard {...preferences} />
      {!NoAuth && !lockPassword && <PasswordCard />}
      {!NoAuth && <DevicesCard />}
    </Page>
  )
}
