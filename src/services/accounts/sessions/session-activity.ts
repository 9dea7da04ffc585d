import type { SessionFamily } from '../../../domain/ids.ts'
import type { Session } from '../../../domain/accounts/session.ts'
import type { Clock } from '../../../platform/clock.ts'

const INTERVAL = 60_000

export interface SessionActivityDeps {
  readonly clock: Clock
  /** Saves the activity; called at most once a minute. */
  readonly write: (seen: ReadonlyMap<SessionFamily, Sighting>) => Promise<void>
  readonly onFailure: (error: unknown) => void
}

interface Sighting {
  readonly at: number
  readonly address: string
}

/** Records when and from where sessions are used. Saves it later, so that no request waits for the disk. */
export class SessionActivity implements AsyncDisposable {
  readonly #deps: SessionActivityDeps
  #seen = new Map<SessionFamily, Sighting>()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: SessionActivityDeps) {
    this.#deps = deps
  }

  record(session: Session, address: string): void {
    const at = this.#deps.clock.now()
    if (at - session.lastSeenAt < INTERVAL && session.address === address) return
    this.#seen.set(session.family, { at, address: address.slice(0, 64) })
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#deps.onFailure), INTERVAL).unref()
  }

  /** What is not saved yet, in milliseconds since 1970. */
  unsaved(): { readonly family: SessionFamily; readonly lastSeenAt: number }[] {
    return [...this.#seen].map(([family, { at }]) => ({ family, lastSeenAt: at }))
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#seen.size === 0) return
    const seen = this.#seen
    this.#seen = new Map()
    await this.#deps.write(seen)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush()
  }
}
