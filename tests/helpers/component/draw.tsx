import { I18nProvider } from '../../../ui/src/i18n/use-text.tsx'
import { setupI18n } from '@lingui/core'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { KitTextProvider } from '../../../ui/src/kit/contexts.ts'

const kitText = {
  close: 'Close',
  dismiss: 'Dismiss',
  notifications: 'Notifications',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  capsLock: 'Caps Lock is on',
}

/** Renders a component without a server. Texts are message ids. */
export function draw(children: ReactNode): void {
  render(
    <I18nProvider i18n={setupI18n({ locale: 'en', messages: { en: {} } })}>
      <KitTextProvider value={kitText}>{children}</KitTextProvider>
    </I18nProvider>,
  )
}
