/** How the caches of one installation are named: others may live below the same origin. */
export function cacheNames(scope: string) {
  const own = `filemgr:${new URL(scope).pathname}:`
  return { own, page: `${own}page`, assets: `${own}assets:`, listings: `${own}listings:`, received: `${own}received` }
}

/** The address of a file in the box of received ones. */
export function receivedPlace(scope: string): string {
  return `${scope}receive/`
}
