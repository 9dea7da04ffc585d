/** Messages from the page to the worker. */
export type ToWorker =
  /** Delete the listings of all other users, and with `received` the files sent by other apps. */
  | { readonly type: 'forget'; readonly userId: number | undefined; readonly received: boolean }
  /** Keep these files of the page, which were loaded before the worker was active. */
  | { readonly type: 'keep'; readonly urls: readonly string[] }
  /** Report whether the server can be reached. */
  | { readonly type: 'reach' }
  /** Let a waiting newer worker take over, if no other window is open. */
  | { readonly type: 'take-over' }

/** Sent to all pages on a change, and as the reply to `reach`. */
export interface Reachability {
  readonly type: 'reach'
  /** When the listing shown instead was stored, in milliseconds; `null` while the server answers. */
  readonly keptAt: number | null
}

export type FromWorker =
  | Reachability
  /** The user pressed a notification about this address. */
  | { readonly type: 'go'; readonly href: string }

/** Cache names of this installation: there may be others on the same origin. */
export function cacheNames(scope: string) {
  const own = `filemgr:${new URL(scope).pathname}:`
  return { own, page: `${own}page`, assets: `${own}assets:`, listings: `${own}listings:`, received: `${own}received` }
}

/** The address below which received files are stored in their cache. */
export function receivedPrefix(scope: string): string {
  return `${scope}receive/`
}
