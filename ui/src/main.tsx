import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api/api-error.ts'
import { readConfig } from './api/page-config.tsx'
import { App } from './app/app.tsx'
import { followSession, takeOneTimeCode } from './app/follow-session.ts'
import { preloadScreen } from './app/router.tsx'
import type { OneTimeCode } from './api/session.ts'
import { createServices } from './app/services.ts'
import { prefetchListing } from './files/queries/listing-query.ts'
import { createBrowserHistory } from './lib/navigation/history.ts'
import { withoutBase } from './lib/navigation/navigation.tsx'
import './styles/index.css'

const FADE = 200

const config = readConfig(document)
await requireBase(config.BaseURL)
const code = takeOneTimeCode(location, history)
allowInjectedStyles()

const services = createServices(config, document)
const { client, queries, session, translations } = services
const appHistory = createBrowserHistory()
const { pathname } = withoutBase(config.BaseURL, appHistory.location)
const isShare = pathname.startsWith('/share/')
const signsIn =
  code !== undefined || !config.LoginPage || config.CookieSession === true || session.token() !== undefined
session.state.subscribe(() => {
  if (!isShare && session.state.get().status === 'signed-in') void preload('/files/')
})

const startSession = (oneTimeCode?: OneTimeCode): Promise<Error | undefined> =>
  session
    .start({
      code: oneTimeCode,
      onRefused: ({ reason, code: problem = '' }, provider) => {
        const refusal = new URLSearchParams({ problem: reason ?? problem, provider }).toString()
        history.replaceState(history.state, '', `#${refusal}`)
      },
      loginPage: config.LoginPage,
      cookieSession: config.CookieSession === true,
    })
    .then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    )

if (session.token() !== undefined) prefetchListing(queries, client, pathname).catch(() => undefined)
const [startError] = await Promise.all([
  startSession(code),
  translations.use(navigator.languages),
  preload(isShare || signsIn ? pathname : '/login'),
])
const state = session.state.get()
if (state.status === 'signed-in') await translations.use([state.user.locale, ...navigator.languages])
followSession(services, appHistory)

const root = document.getElementById('app')
if (root === null) throw new Error('the page has no element #app')
// React wraps an error from which it recovers, as when the session ends while a screen is loading.
const reportCause = (error: unknown) =>
  reportBugs(error instanceof Error && !(error instanceof ApiError) ? (error.cause ?? error) : error)
createRoot(root, { onCaughtError: reportBugs, onRecoverableError: reportCause }).render(
  <StrictMode>
    {/* Shares work without a session. */}
    <App
      services={services}
      history={appHistory}
      startError={isShare ? undefined : startError}
      onRetry={startSession}
    />
  </StrictMode>,
)
fadeOutLoading()
// Visitors of a share do not need offline support.
if (!isShare) void import('./app/install-worker.ts').then(({ installWorker }) => installWorker(services, appHistory))

/** The server also answers without the prefix of the base URL, for proxies that remove it. In the browser it must be there. */
async function requireBase(base: string): Promise<void> {
  const { pathname, search, hash } = location
  if (pathname === base || pathname.startsWith(`${base}/`)) return
  location.replace(`${base}${pathname}${search}${hash}`)
  // Until the browser leaves.
  await new Promise<never>(() => undefined)
}

/** Failures are ignored here: rendering the screen fetches it again and reports an error. */
async function preload(path: string): Promise<void> {
  await preloadScreen(path, translations).catch(() => undefined)
}

/**
 * Dialogs and menus lock scrolling with a `<style>` element. The content security policy allows it only with the nonce
 * of the page, which the library reads from this global.
 */
function allowInjectedStyles(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
  if (nonce) Object.assign(globalThis, { __webpack_nonce__: nonce })
}

/** Error screens explain server errors; anything else is a bug and is reported. */
function reportBugs(error: unknown): void {
  if (!(error instanceof ApiError)) reportError(error)
}

function fadeOutLoading(): void {
  const overlay = document.getElementById('loading')
  if (overlay === null) return
  overlay.dataset['done'] = ''
  setTimeout(() => overlay.remove(), FADE)
}
