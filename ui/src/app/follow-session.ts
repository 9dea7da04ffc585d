import type { SessionState } from '../api/session.ts'
import { filesHref } from '../lib/app-path.ts'
import type { AppRouter } from './router.tsx'
import type { Services } from './services.ts'

/** Acts on what happens to the session while the page is open, in this window or in another one. */
export function followSession(services: Services, router: AppRouter): void {
  const { session, translations, queries, prompts } = services
  const config = services.config.get()
  let shownTo = userIn(session.state.get())
  const leave = (state: SessionState): void => {
    // Where no form signs in, asking for the page again does, unless the user meant to leave.
    if (config.NoAuth || (!config.LoginPage && state.status === 'signed-out' && state.reason)) location.reload()
    else if (config.LogoutPage !== '/login') location.assign(config.LogoutPage)
    else if (!config.LoginPage) location.reload()
    // The screens go first: they would fetch again at once what is taken from them.
    else void router.navigate({ to: '/login', search: loginSearch(router, state) }).then(() => queries.clear())
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
  const found = await import('../editor/drafts.ts').catch(() => undefined)
  await found?.createDrafts({ baseUrl, userId }).clear()
}

function loginSearch(router: AppRouter, state: SessionState): Record<string, string> {
  const { href } = router.state.location
  return {
    ...(href === filesHref('/') || href.startsWith('/login') ? {} : { redirect: href }),
    ...(state.status !== 'signed-out' || state.reason === undefined ? {} : { 'logout-reason': state.reason }),
  }
}
