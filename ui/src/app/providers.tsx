import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ClientProvider } from '../api/client.ts'
import { ConfigProvider } from '../api/page-config.tsx'
import { LiveEventsProvider } from '../api/live-events.ts'
import { SessionProvider } from '../api/session.ts'
import { directionOf } from '../i18n/locales.ts'
import { TranslationsProvider, I18nProvider, useLocale, useText } from '../i18n/use-text.tsx'
import { useReportLoadFailure } from '../common/use-report-load-failure.ts'
import { AnnouncerProvider } from '../kit/feedback/announcer.tsx'
import { KitTextProvider, ThemeProvider } from '../kit/contexts.ts'
import { MenuProvider } from '../kit/menu/menu.tsx'
import { MenuHost, ToastHost } from '../kit/overlay-hosts.tsx'
import { PromptHost, PromptProvider } from '../kit/dialog/prompt-stack.tsx'
import { ShortcutProvider } from '../kit/keyboard/shortcuts.tsx'
import { PortalProvider } from '../kit/page/portal.tsx'
import { ToastProvider } from '../kit/feedback/toast.tsx'
import { TooltipHost } from '../kit/tooltip/tooltip-host.tsx'
import { useStore } from '../lib/create-store.ts'
import type { Services } from './services.ts'

interface ProvidersProps {
  services: Services
  children: ReactNode
}

/** All context providers of the page. */
export function Providers({ services, children }: ProvidersProps) {
  return (
    <I18nProvider i18n={services.translations.i18n}>
      <ConfigProvider value={useStore(services.config)}>
        <QueryClientProvider client={services.queries}>
          <ClientProvider value={services.client}>
            <SessionProvider value={services.session}>
              <LiveEventsProvider value={services.live}>
                <ThemeProvider value={services.theme}>
                  <TranslationsProvider value={services.translations}>
                    <KitProviders services={services}>{children}</KitProviders>
                  </TranslationsProvider>
                </ThemeProvider>
              </LiveEventsProvider>
            </SessionProvider>
          </ClientProvider>
        </QueryClientProvider>
      </ConfigProvider>
    </I18nProvider>
  )
}

function KitProviders({ services, children }: ProvidersProps) {
  return (
    <KitTextProvider value={useKitTexts()}>
      <PromptProvider value={services.prompts}>
        <MenuProvider value={services.menus}>
          <ToastProvider value={services.toasts}>
            <ShortcutProvider>
              <PortalProvider>
                <AnnouncerProvider>
                  {children}
                  <Overlays />
                </AnnouncerProvider>
              </PortalProvider>
            </ShortcutProvider>
          </ToastProvider>
        </MenuProvider>
      </PromptProvider>
    </KitTextProvider>
  )
}

/** Menus, prompts, toasts and tooltips. Each is loaded when it is first needed. */
function Overlays() {
  const locale = useLocale()
  const reportLoadFailure = useReportLoadFailure()
  return (
    <>
      <MenuHost onError={reportLoadFailure} />
      <PromptHost onError={reportLoadFailure} />
      <ToastHost direction={directionOf(locale)} />
      <TooltipHost />
    </>
  )
}

function useKitTexts() {
  const t = useText()
  return {
    close: t('kit.close'),
    dismiss: t('kit.dismiss'),
    notifications: t('kit.notifications'),
    showPassword: t('kit.showPassword'),
    hidePassword: t('kit.hidePassword'),
    capsLock: t('kit.capsLock'),
  }
}
