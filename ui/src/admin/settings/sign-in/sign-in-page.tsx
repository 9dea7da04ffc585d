import { usePageTitle } from '../../../api/page-config.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { MethodSection } from './method-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProvidersSection } from './providers-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'

/** Who may come in, and how. Each part saves its own changes. */
export function SignInPage() {
  const t = useText()
  usePageTitle(t('settings.signIn'))
  return (
    <Page title={t('settings.signIn')} hint={t('providers.pageHint')}>
      <ProvidersSection />
      <MethodSection />
      <PasswordSection />
      <SecondFactorSection />
    </Page>
  )
}
