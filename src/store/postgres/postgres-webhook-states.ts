import { fail } from '../../domain/errors.ts'
import type { WebhookState } from '../../domain/automation/webhook.ts'
import { systemRandom } from '../../platform/security/random.ts'
import type { Lease, Leases, Records, WebhookStates } from '../store.ts'

const LEASE = 'webhooks/'
/** Milliseconds between two checks for states that other daemons have abandoned. */
const TAKEOVER_INTERVAL = 5000

interface PostgresWebhookStatesDeps {
  readonly leases: Leases
  /** The states that one run of a daemon has saved. */
  readonly recordsOf: (run: string) => Records<WebhookState>
}

/** A run of a daemon, which lasts as long as its lease. */
interface Run {
  readonly id: string
  readonly lease: Lease
}

/**
 * States as records. Each run of a daemon has records of its own, so that two daemons never write the same one. A run also has a
 * lease, which the daemon abandons when it stops: the daemon that acquires it adopts the states. A daemon that was taken for dead
 * continues as another run; events that it still sends may then arrive twice.
 */
export class PostgresWebhookStates implements WebhookStates, AsyncDisposable {
  readonly #deps: PostgresWebhookStatesDeps
  readonly #own = new Map<string, WebhookState>()
  #run: Promise<Run> | undefined
  #timer: NodeJS.Timeout | undefined
  #takingOver = Promise.resolve()

  constructor(deps: PostgresWebhookStatesDeps) {
    this.#deps = deps
  }

  async put(...states: readonly WebhookState[]): Promise<void> {
    for (const state of states) await this.#put(state)
  }

  async #put(state: WebhookState): Promise<void> {
    this.#own.set(state.id, state)
    const { id, lease } = await this.#current()
    try {
      await this.#deps.recordsOf(id).put(state, lease)
    } catch (error) {
      await lease.renew().catch(() => undefined)
      if (!lease.isLost) throw error
      // The lease is lost: begins another run, which saves all states.
      await this.#current()
    }
  }

  async remove(id: string): Promise<void> {
    if (!this.#own.delete(id)) return
    const run = await this.#current()
    await this.#deps.recordsOf(run.id).remove(id)
  }

  async others(): Promise<WebhookState[]> {
    const own = (await this.#run)?.id
    const runs = (await this.#deps.leases.list(LEASE)).map(({ name }) => name.slice(LEASE.length))
    const others = runs.filter((id) => id !== own)
    return (await Promise.all(others.map(async (id) => await this.#deps.recordsOf(id).list()))).flat()
  }

  async follow(adopt: (state: WebhookState) => Promise<void>): Promise<void> {
    const tryTakeOver = async () => {
      // The database may be away; the next check tries again.
      this.#takingOver = this.#takeOver(adopt).catch(() => undefined)
      await this.#takingOver
    }
    await tryTakeOver()
    let isBusy = false
    this.#timer = setInterval(() => {
      if (isBusy) return
      isBusy = true
      void tryTakeOver().finally(() => (isBusy = false))
    }, TAKEOVER_INTERVAL).unref()
  }

  async #takeOver(adopt: (state: WebhookState) => Promise<void>): Promise<void> {
    for (const { name, isHeld } of await this.#deps.leases.list(LEASE)) {
      const lease = isHeld ? undefined : await this.#deps.leases.tryAcquire(name)
      if (lease === undefined) continue
      try {
        const records = this.#deps.recordsOf(name.slice(LEASE.length))
        const states = await records.list()
        for (const state of states) await adopt(state)
        await records.remove(...states.map(({ id }) => id))
      } catch (error) {
        await lease.abandon()
        throw error
      }
      await lease[Symbol.asyncDispose]()
    }
  }

  async #current(): Promise<Run> {
    const known = this.#run
    if (known !== undefined && !(await known).lease.isLost) return await known
    // Another call may have begun a run meanwhile.
    if (this.#run === known || this.#run === undefined) this.#run = this.#begin()
    return await this.#run
  }

  async #begin(): Promise<Run> {
    try {
      const id = systemRandom.token(12)
      const lease = await this.#deps.leases.tryAcquire(LEASE + id)
      if (lease === undefined) return fail('INTERNAL', 'somebody else has the lease of this run')
      for (const state of this.#own.values()) await this.#deps.recordsOf(id).put(state, lease)
      return { id, lease }
    } catch (error) {
      // The next put tries again.
      this.#run = undefined
      throw error
    }
  }

  /** Call after the last put. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#takingOver
    const run = await this.#run?.catch(() => undefined)
    if (run === undefined) return
    if (this.#own.size > 0) await run.lease.abandon()
    else await run.lease[Symbol.asyncDispose]()
  }
}
