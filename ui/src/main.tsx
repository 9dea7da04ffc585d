import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { logUnlessAnswered } from './app/log-unless-answered.ts'
import { readConfig } from './api/config.tsx'
import { App } from './app/app.tsx'
import { followSession } from './app/follow-session.ts'
import { removeLoadingOverlay } from './app/loading-overlay.ts'
import { takeOneTimeCode } from './app/one-time-code.ts'
import { createAppRouter, preloadFirstView } from './app/router.tsx'
import { createServices } from './app/services.ts'
import { allowInjectedStyles } from './app/style-nonce.ts'
import './styles/index.css'

const config = readConfig(document)
const code = takeOneTimeCode(location, history)
allowInjectedStyles(document)

const services = createServices(config, document)
const { session, translations } = services
const isLink = location.pathname.startsWith(`${config.BaseURL}/share/`)
const signsIn =
  code !== undefined || !config.LoginPage || config.CookieSession === true || session.token() !== undefined
preloadFirstView(isLink ? 'link' : signsIn ? 'files' : 'login')

const startSession = (oneTimeCode?: string): Promise<Error | undefined> =>
  session.start({ code: oneTimeCode, loginPage: config.LoginPage, cookieSession: config.CookieSession === true }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )

const [startError] = await Promise.all([startSession(code), translations.use(navigator.languages)])
const state = session.state.get()
if (state.status === 'signed-in') await translations.use([state.user.locale, ...navigator.languages])

const router = createAppRouter(services)
followSession(services, router)

const place = document.getElementById('app')
if (place === null) throw new Error('the page has no place for the app')
createRoot(place, { onCaughtError: logUnlessAnswered }).render(
  <StrictMode>
    <App services={services} router={router} startError={isLink ? undefined : startError} onRetry={startSession} />
  </StrictMode>,
)
removeLoadingOverlay(document)
void import('./app/install-worker.ts').then(({ installWorker }) => installWorker(services, router))
