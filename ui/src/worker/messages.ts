/** What the page asks of the worker. */
export type ToWorker =
  /** Forget what was seen by anybody but this user, and perhaps what another app has sent. */
  | { readonly type: 'forget'; readonly userId: number | undefined; readonly received: boolean }
  /** These files of the page were loaded before the worker was there. */
  | { readonly type: 'keep'; readonly urls: readonly string[] }
  /** Is what is shown now what the server says? */
  | { readonly type: 'reach' }
  /** A newer worker waits: let it in, if no other window is open. */
  | { readonly type: 'take-over' }

/** What the worker tells all pages, and whoever asks. */
export interface Reach {
  readonly type: 'reach'
  /** When the listing that is shown instead was seen, in milliseconds; `null` while the server answers. */
  readonly keptAt: number | null
}

export type FromWorker =
  | Reach
  /** A notification was pressed that is about this address. */
  | { readonly type: 'go'; readonly href: string }
