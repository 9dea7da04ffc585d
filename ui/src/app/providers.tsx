import { I18nProvider, useLingui } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { Direction } from 'radix-ui'
import type { ReactNode } from 'react'
import { ClientProvider } from '../api/client.ts'
import { ConfigProvider } from '../api/page-config.tsx'
import { LiveEventsProvider } from '../api/live-events.ts'
import { SessionProvider } from '../api/session.ts'
import { directionOf } from '../i18n/locales.ts'
import { TranslationsProvider } from '../i18n/use-text-part.ts'
import { useText } from '../i18n/use-text.tsx'
import { AnnouncerProvider } from '../kit/feedback/announcer.tsx'
import { KitTextProvider, ThemeProvider } from '../kit/contexts.ts'
import { MenuProvider } from '../kit/menu/menu.tsx'
import { MenuHost } from '../kit/menu/menu-host.tsx'
import { ToastHost } from '../kit/feedback/toast-host.tsx'
import { PromptHost, PromptProvider } from '../kit/dialog/prompt-stack.tsx'
import { ShortcutProvider } from '../kit/keyboard/shortcuts.tsx'
import { SlotProvider } from '../kit/page/slot.tsx'
import { ToastProvider, useToasts } from '../kit/feedback/toast.tsx'
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
  const { i18n } = useLingui()
  return (
    <Direction.Provider dir={directionOf(i18n.locale)}>
      <KitTextProvider value={useKitWords()}>
        <PromptProvider value={services.prompts}>
          <MenuProvider value={services.menus}>
            <ToastProvider value={services.toasts}>
              <ShortcutProvider>
                <SlotProvider>
                  <AnnouncerProvider>
                    {children}
                    <Overlays />
                  </AnnouncerProvider>
                </SlotProvider>
              </ShortcutProvider>
            </ToastProvider>
          </MenuProvider>
        </PromptProvider>
      </KitTextProvider>
    </Direction.Provider>
  )
}

/** Menus, prompts, toasts and tooltips. Each is loaded when it is first needed. */
function Overlays() {
  const { i18n } = useLingui()
  const sayPartMissing = usePartMissing()
  return (
    <>
      <MenuHost onError={sayPartMissing} />
      <PromptHost onError={sayPartMissing} />
      <ToastHost direction={directionOf(i18n.locale)} />
      <TooltipHost />
    </>
  )
}

function useKitWords() {
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

/** Reports that code could not be loaded: there is no network, or a newer version of the page was installed. */
export function usePartMissing(): () => void {
  const t = useText()
  const toasts = useToasts()
  return () => {
    toasts.error(t('app.partMissing'), { action: { label: t('app.reload'), run: () => location.reload() } })
  }
}
