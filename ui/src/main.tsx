import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api/api-error.ts'
import { readConfig } from './api/page-config.tsx'
import { App } from './app/app.tsx'
import { followSession, takeOneTimeCode } from './app/follow-session.ts'
import { createServices } from './app/services.ts'
import { createBrowserHistory } from './lib/navigation/history.ts'
import './styles/index.css'

const FADE = 200

const config = readConfig(document)
const code = takeOneTimeCode(location, history)
allowInjectedStyles()

const services = createServices(config, document)
const { session, translations } = services
const appHistory = createBrowserHistory()
const isLink = location.pathname.startsWith(`${config.BaseURL}/share/`)
const signsIn =
  code !== undefined || !config.LoginPage || config.CookieSession === true || session.token() !== undefined
// The first screen is fetched while the session is still being looked up, or as soon as the user has signed in.
if (isLink) void Promise.allSettled([import('./app/screens/share-screen.tsx')])
else if (signsIn) fetchFirstScreen()
session.state.subscribe(() => {
  if (!isLink && session.state.get().status === 'signed-in') fetchFirstScreen()
})

const startSession = (oneTimeCode?: string): Promise<Error | undefined> =>
  session.start({ code: oneTimeCode, loginPage: config.LoginPage, cookieSession: config.CookieSession === true }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )

const [startError] = await Promise.all([startSession(code), translations.use(navigator.languages)])
const state = session.state.get()
if (state.status === 'signed-in') await translations.use([state.user.locale, ...navigator.languages])
followSession(services, appHistory)

const place = document.getElementById('app')
if (place === null) throw new Error('the page has no place for the app')
createRoot(place, { onCaughtError: reportUnlessAnswered }).render(
  <StrictMode>
    {/* A public link works without a session. */}
    <App services={services} history={appHistory} startError={isLink ? undefined : startError} onRetry={startSession} />
  </StrictMode>,
)
fadeOutLoading()
void import('./app/install-worker.ts').then(({ installWorker }) => installWorker(services, appHistory))

/** A part that fails is fetched again when it is drawn, and says so then. */
function fetchFirstScreen(): void {
  void Promise.allSettled([
    import('./files/uploads/uploads-root.tsx'),
    import('./app/signed-in-layout.tsx'),
    import('./app/screens/files-screen.tsx'),
    import('./kit/menu/menu-popup.tsx'),
    import('./kit/tooltip/tooltip.tsx'),
    import('./kit/feedback/toaster.tsx'),
  ])
}

/**
 * Dialogs and menus lock the page behind them with a `<style>` element of their own. The content security policy lets in
 * only those that carry the nonce of this page; the library takes it from this global.
 */
function allowInjectedStyles(): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
  if (nonce) Object.assign(globalThis, { __webpack_nonce__: nonce })
}

/** The error screen shows answers of the server; anything else that a screen threw is a mistake of ours. */
function reportUnlessAnswered(error: unknown): void {
  if (!(error instanceof ApiError)) reportError(error)
}

function fadeOutLoading(): void {
  const overlay = document.getElementById('loading')
  if (overlay === null) return
  overlay.dataset['done'] = ''
  setTimeout(() => overlay.remove(), FADE)
}
