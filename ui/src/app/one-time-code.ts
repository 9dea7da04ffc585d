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
