import { type OneTimeCode, type SessionState, userIdOf } from '../api/session.ts'
import type { AppHistory } from '../lib/navigation/history.ts'
import { appHref, withoutBase } from '../lib/navigation/navigation.tsx'
import { filesHref } from '../lib/navigation/app-path.ts'
import type { Services } from './services.ts'

/** Reacts to session changes while the page is open, from this window or another. */
export function followSession(services: Services, history: AppHistory): void {
  const { session, translations, prompts } = services
  const config = services.config.get()
  const shownHref = () => withoutBase(config.BaseURL, history.location).href
  let shownTo = userIdOf(session.state.get())
  const leave = (state: SessionState): void => {
    // Shares need no session.
    if (shownHref().startsWith('/share/')) return
    if (state.status === 'signed-out' && state.goTo !== undefined) {
      location.assign(state.goTo)
      return
    }
    // Without a login form, reloading signs in again, unless the user signed out on purpose.
    if (config.NoAuth || (!config.LoginPage && state.status === 'signed-out' && state.reason)) location.reload()
    else if (config.LogoutPage !== '/login') location.assign(config.LogoutPage)
    else if (!config.LoginPage) location.reload()
    else history.push(appHref(config.BaseURL, loginHref(shownHref(), state)))
  }
  session.state.subscribe(() => {
    const state = session.state.get()
    const user = userIdOf(state)
    if (state.status === 'signed-in') {
      // Another user has signed in, here or in another window, and must not see this screen.
      if (shownTo !== undefined && shownTo !== user) {
        location.assign(`${config.BaseURL}/files/`)
        return
      }
      shownTo = user
      void translations.use([state.user.locale, ...navigator.languages])
    } else if (shownTo !== user) {
      prompts.closeAll()
      // Delete drafts only after a deliberate sign-out. A user whose session ended comes back for them.
      const owner = state.status === 'signed-out' && state.reason === undefined ? shownTo : undefined
      shownTo = undefined
      void forgetDrafts(config.BaseURL, owner).finally(() => leave(state))
    }
  })
}

async function forgetDrafts(baseUrl: string, userId: number | undefined): Promise<void> {
  if (userId === undefined) return
  // If this fails, there is no connection, and the page stays open anyway.
  const found = await import('../editor/saving/drafts.ts').catch(() => undefined)
  await found?.createDrafts({ baseUrl, userId }).clear()
}

/** The login page, with a redirect back to the current page. */
function loginHref(from: string, state: SessionState): string {
  const search = new URLSearchParams()
  if (from !== filesHref('/') && !from.startsWith('/login')) search.set('redirect', from)
  if (state.status === 'signed-out' && state.reason !== undefined) search.set('logout-reason', state.reason)
  return search.size === 0 ? '/login' : `/login?${search.toString()}`
}

/**
 * Takes the code from a sign-in link (`/login#code=…`), or from the way back from a provider. The fragment is removed from the
 * address and the history before use, so that the next user of the browser cannot find it.
 */
export function takeOneTimeCode(location: Location, history: History): OneTimeCode | undefined {
  const sent = new URLSearchParams(location.hash.slice(1))
  const code = sent.get('code')
  if (!code || !location.pathname.endsWith('/login')) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return { code, provider: sent.get('provider') ?? undefined }
}
