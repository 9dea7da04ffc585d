/** What the login page is for at the moment; its address says so. */
export type LoginMode = 'login' | 'signup'

/** The address of the login page in this mode, which still knows where to go on to. */
export function modeHref(mode: LoginMode, redirect: string | undefined): string {
  const search = new URLSearchParams()
  if (mode === 'signup') search.set('mode', mode)
  if (redirect !== undefined) search.set('redirect', redirect)
  return search.size === 0 ? '/login' : `/login?${search.toString()}`
}
