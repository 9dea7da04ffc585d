import type { SessionState } from '../api/session.ts'
import type { AppHistory } from '../lib/navigation/history.ts'
import { appHref, withoutBase } from '../lib/navigation/navigation.tsx'
import { filesHref } from '../lib/navigation/app-path.ts'
import type { Services } from './services.ts'

/** Acts on what happens to the session while the page is open, in this window or in another one. */
export function followSession(services: Services, history: AppHistory): void {
  const { session, translations, prompts } = services
  const config = services.config.get()
  const shownHref = () => withoutBase(config.BaseURL, history.location).href
  let shownTo = userIn(session.state.get())
  const leave = (state: SessionState): void => {
    // A public link needs no session.
    if (shownHref().startsWith('/share/')) return
    // Where no form signs in, asking for the page again does, unless the user meant to leave.
    if (config.NoAuth || (!config.LoginPage && state.status === 'signed-out' && state.reason)) location.reload()
    else if (config.LogoutPage !== '/login') location.assign(config.LogoutPage)
    else if (!config.LoginPage) location.reload()
    else history.push(appHref(config.BaseURL, loginHref(shownHref(), state)))
  }
  session.state.subscribe(() => {
    const state = session.state.get()
    const user = userIn(state)
    if (state.status === 'signed-in') {
      // What is on the screen is not for another user who has signed in, here or in another window.
      if (shownTo !== undefined && shownTo !== user) {
        location.assign(`${config.BaseURL}/files/`)
        return
      }
      shownTo = user
      void translations.use([state.user.locale, ...navigator.languages])
    } else if (shownTo !== user) {
      prompts.closeAll()
      // Who leaves the browser to others leaves no texts behind; who was sent away comes back for them.
      const owner = state.status === 'signed-out' && state.reason === undefined ? shownTo : undefined
      shownTo = undefined
      void forgetDrafts(config.BaseURL, owner).finally(() => leave(state))
    }
  })
}

function userIn(state: SessionState): number | undefined {
  return 'user' in state ? state.user.id : undefined
}

async function forgetDrafts(baseUrl: string, userId: number | undefined): Promise<void> {
  if (userId === undefined) return
  // Without a connection the page cannot be left either.
  const found = await import('../editor/saving/drafts.ts').catch(() => undefined)
  await found?.createDrafts({ baseUrl, userId }).clear()
}

/** The login page, which goes on to where the user was. */
function loginHref(from: string, state: SessionState): string {
  const search = new URLSearchParams()
  if (from !== filesHref('/') && !from.startsWith('/login')) search.set('redirect', from)
  if (state.status === 'signed-out' && state.reason !== undefined) search.set('logout-reason', state.reason)
  return search.size === 0 ? '/login' : `/login?${search.toString()}`
}

/**
 * Takes the code out of a sign-in link (`/login#code=…`). The fragment goes from the address and the history before it
 * is used: a code that stays there would be found by the next user of the browser.
 */
export function takeOneTimeCode(location: Location, history: History): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (!code || !location.pathname.endsWith('/login')) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return code
}
