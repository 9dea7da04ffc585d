import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { logUnlessAnswered } from './app/log-unless-answered.ts'
import { readConfig } from './api/config.tsx'
import { removeLoadingOverlay } from './app/loading-overlay.ts'
import { takeOneTimeCode } from './app/one-time-code.ts'
import { createServices } from './app/services.ts'
import { allowInjectedStyles } from './app/style-nonce.ts'
import './styles/index.css'

/** By name: of a choice between two imports the build would keep the styles of one only. */
const PAGES = {
  visitor: () => import('./app/visitor-page.tsx'),
  whole: () => import('./app/whole-page.tsx'),
}

const config = readConfig(document)
const code = takeOneTimeCode(location, history)
allowInjectedStyles(document)

const services = createServices(config, document)
const { session, translations } = services
const isLink = location.pathname.startsWith(`${config.BaseURL}/share/`)
const signsIn =
  code !== undefined || !config.LoginPage || config.CookieSession === true || session.token() !== undefined
const coming = PAGES[isLink ? 'visitor' : 'whole']()
// The first screen is fetched while the session is still being looked up.
if (!isLink && signsIn) void Promise.all([import('./app/signed-in-layout.tsx'), import('./app/files-screen.tsx')])
if (!isLink && !signsIn) void import('./sign-in/login-page.tsx')

const startSession = (oneTimeCode?: string): Promise<Error | undefined> =>
  session.start({ code: oneTimeCode, loginPage: config.LoginPage, cookieSession: config.CookieSession === true }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )

const [startError] = await Promise.all([
  startSession(code),
  translations.use(navigator.languages),
  // Without them the page says that it cannot be shown.
  isLink ? translations.need('public').catch(() => undefined) : undefined,
])
const state = session.state.get()
if (state.status === 'signed-in') await translations.use([state.user.locale, ...navigator.languages])

const { pageOf } = await coming
const page = pageOf(services, { error: startError, again: startSession })
const place = document.getElementById('app')
if (place === null) throw new Error('the page has no place for the app')
createRoot(place, { onCaughtError: logUnlessAnswered }).render(<StrictMode>{page.element}</StrictMode>)
removeLoadingOverlay(document)
void import('./app/install-worker.ts').then(({ installWorker }) => installWorker(services, page.history))
