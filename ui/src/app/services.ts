import { QueryClient } from '@tanstack/react-query'
import { MAINTENANCE_HEADER } from '../../../src/domain/page-contract.ts'
import type { ClientConfig } from '../../../src/domain/settings/client-config.ts'
import { ApiError } from '../api/api-error.ts'
import { type Client, createClient } from '../api/client.ts'
import { earlyAnswer } from '../api/early-answer.ts'
import type { LiveEvents } from '../api/live-events.ts'
import { createSessionLink } from '../api/session-link.ts'
import { createSession, type Session } from '../api/session.ts'
import { createTokenVault } from '../api/token.ts'
import { createTranslations, type Translations } from '../i18n/translations.ts'
import { createMenus, type Menus } from '../kit/menu/menu.tsx'
import { createPromptStack, type PromptStack } from '../kit/dialog/prompt-stack.tsx'
import { createToasts, type Toasts } from '../kit/feedback/toast.tsx'
import { createStore, type Store } from '../lib/create-store.ts'
import { createTheme, type Theme } from '../lib/theme.ts'
import { requiredContext } from '../lib/hooks.ts'

export interface Services {
  readonly config: Store<ClientConfig>
  readonly client: Client
  readonly session: Session
  readonly queries: QueryClient
  readonly live: LiveEvents
  readonly translations: Translations
  readonly prompts: PromptStack
  readonly menus: Menus
  readonly toasts: Toasts
  readonly theme: Theme
}

/** Composition root of the page: creates all services and connects them. */
export function createServices(initial: ClientConfig, page: Document): Services {
  const { BaseURL: baseUrl } = initial
  const config = createStore(initial)
  const client: Client = createClient({
    baseUrl,
    token: () => session.token(),
    onRenewHint: () => void session.renew().catch(ignoreRefusal),
    onRejected: (token) => session.reject(token),
    waitForSignIn: (token) => session.waitForSignIn(token),
    async fetch(...request) {
      const response = await (earlyAnswer(...request) ?? fetch(...request))
      if (response.headers.has(MAINTENANCE_HEADER)) config.set((known) => ({ Maintenance: { message: '' }, ...known }))
      return response
    },
  })
  const session: Session = createSession({
    call: client.call,
    vault: createTokenVault(localStorage, baseUrl),
    link: createSessionLink(new BroadcastChannel(`filemgr:session:${baseUrl}`)),
  })
  const channel = new BroadcastChannel(`filemgr:theme:${baseUrl}`)
  return {
    config,
    client,
    session,
    queries: createQueries(),
    live: createStore<ReturnType<LiveEvents['get']>>(undefined),
    translations: createTranslations(page),
    prompts: createPromptStack(),
    menus: createMenus(),
    toasts: createToasts(),
    theme: createTheme({ page: page.documentElement, storage: localStorage, channel, branding: initial.Theme }),
  }
}

/** Only a lost connection or a busy server is worth a retry. */
function createQueries(): QueryClient {
  const worthRetrying = (error: Error) => error instanceof ApiError && (error.status === 502 || error.status === 503)
  return new QueryClient({
    defaultOptions: {
      queries: { retry: (count, error) => count < 2 && worthRetrying(error), staleTime: 5000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** A rejected renewal has already signed the user out; without a connection the next response retries. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}

export const [ServicesProvider, useServices] = requiredContext<Services>('Services')
