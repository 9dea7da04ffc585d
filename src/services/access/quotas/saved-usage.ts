import { type Amount, difference, larger, NOTHING, sum, type UsageRecord } from '../../../domain/access/quota.ts'
import { cleanVirtualPath, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { digestOf } from '../../../platform/security/tokens.ts'
import type { Records } from '../../../store/store.ts'
import { type ScopeUsage, usedOf } from './scope-usage.ts'

export interface SavedUsageDeps {
  readonly records: Records<UsageRecord>
  /** The served folder. */
  readonly root: string
  readonly log: Pick<Logger, 'warn'>
}

interface Saved {
  /** What the record says. */
  readonly bound: Amount
  readonly isFinal: boolean
  /** Resolves when the record is on the disk. */
  readonly written: Promise<void>
}

/** Milliseconds for which the end of a daemon may wait for exact records. The bounds that stay are only higher. */
const MAX_TIME = 2000

/**
 * Saves what limited folders hold, so that the next run need not count before the first write. A record is written before it is
 * exceeded, and says more than is used: so it is written rarely, and after a crash it is never too low.
 */
export class SavedUsage {
  readonly #deps: SavedUsageDeps
  readonly #saved = new Map<VirtualPath, Saved>()
  /** How many moves into each scope are under way. */
  readonly #suspended = new Map<VirtualPath, number>()

  constructor(deps: SavedUsageDeps) {
    this.#deps = deps
  }

  /**
   * The records of the last run. Those of other folders are removed, because nobody has noted what was written to them since, and
   * those of versions that did not count folders.
   */
  async load(limited: ReadonlySet<VirtualPath>): Promise<UsageRecord[]> {
    const { records, root } = this.#deps
    const usable: UsageRecord[] = []
    for (const record of await records.list()) {
      const scope = cleanVirtualPath(record.scope)
      if (record.root !== root || !limited.has(scope) || record.kinds === undefined) {
        await records.remove(record.id)
        continue
      }
      this.#saved.set(scope, { bound: record.used, isFinal: record.isFinal, written: Promise.resolve() })
      usable.push(record)
    }
    return usable
  }

  /** Call it after every change, and before its effect on files. */
  async keep(scope: VirtualPath, usage: ScopeUsage | undefined, now: number): Promise<void> {
    const used = usage === undefined || this.#suspended.has(scope) ? undefined : usedOf(usage, now)
    const saved = this.#saved.get(scope)
    if (used === undefined) {
      if (saved === undefined) return
      this.#saved.delete(scope)
      await this.#bestEffort(async () => await this.#deps.records.remove(idOf(scope)))
      return
    }
    const slack = slackOf(used)
    if (saved !== undefined && fits(used, saved.bound) && fits(saved.bound, sum(used, sum(slack, slack)))) {
      await saved.written
      return
    }
    await this.#save(scope, usage, { used: sum(used, slack), isFinal: false })
  }

  /** Files of unknown size are about to come into these scopes: until the result is disposed of, nothing is saved of them. */
  async suspend(scopes: readonly VirtualPath[]): Promise<Disposable> {
    for (const scope of scopes) this.#suspended.set(scope, (this.#suspended.get(scope) ?? 0) + 1)
    for (const scope of scopes) await this.keep(scope, undefined, 0)
    return {
      [Symbol.dispose]: () => {
        for (const scope of scopes) {
          const count = (this.#suspended.get(scope) ?? 0) - 1
          if (count > 0) this.#suspended.set(scope, count)
          else this.#suspended.delete(scope)
        }
      },
    }
  }

  /** Saves exactly what is used, when the daemon ends. */
  async finish(
    usageOf: (scope: VirtualPath) => Promise<{ usage: ScopeUsage | undefined; now: number }>,
  ): Promise<void> {
    const start = performance.now()
    for (const [scope, { isFinal }] of this.#saved) {
      if (isFinal) continue
      if (performance.now() - start > MAX_TIME) return
      const { usage, now } = await usageOf(scope)
      const used = usage && usedOf(usage, now)
      // An operation that did not end in time may still write.
      if (used === undefined || Object.keys(usage?.reserved ?? {}).length > 0) continue
      await this.#save(scope, usage, { used, isFinal: true })
    }
  }

  async #save(
    scope: VirtualPath,
    usage: ScopeUsage | undefined,
    { used, isFinal }: Pick<UsageRecord, 'used' | 'isFinal'>,
  ): Promise<void> {
    const { records, root } = this.#deps
    const { at = 0, took = 0 } = usage?.count ?? {}
    const kinds = 'files and folders' as const
    const record = { id: idOf(scope), root, scope, used: larger(used, NOTHING), at, took, kinds, isFinal }
    const written = this.#bestEffort(async () => await records.put(record))
    this.#saved.set(scope, { bound: used, isFinal, written })
    await written
  }

  /** A failure must not stop writes: it only means that the next run may begin with an older count. */
  async #bestEffort(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the usage of a quota could not be saved')
    }
  }
}

/** How much more than is used a record says: the more files there are, the longer counting them would take. */
function slackOf({ bytes, files }: Amount): Amount {
  return {
    bytes: 4 * 1024 * 1024 + Math.ceil(Math.max(0, bytes) / 64),
    files: 128 + Math.ceil(Math.max(0, files) / 64),
  }
}

function fits(amount: Amount, limit: Amount): boolean {
  const { bytes, files } = difference(limit, amount)
  return bytes >= 0 && files >= 0
}

function idOf(scope: VirtualPath): string {
  return digestOf(scope)
}
