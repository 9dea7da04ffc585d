import { isFilemgrError, unlessFails } from '../../../domain/errors.ts'
import { type Amount, NOTHING, sum, type UsageRecord } from '../../../domain/access/quota.ts'
import { below, cleanVirtualPath, relativeTo, ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { holds } from '../../../domain/server/root.ts'
import { amountOf, type UploadRecord } from '../../../domain/uploads/upload.ts'
import type { RootIndex } from '../../stored-roots.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import { SingleFlight } from '../../../platform/cache/single-flight.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { type Scope, type Storage, storagePathOf } from '../../../storage/storage.ts'
import type { Records, SharedFacts } from '../../../store/store.ts'
import { SavedUsage } from './saved-usage.ts'
import { savedUsage, type ScopeUsage, UNKNOWN, withCount } from './scope-usage.ts'

export interface UsageLedgerDeps {
  readonly facts: SharedFacts
  /** Undefined where facts outlive the daemon. */
  readonly usageRecords?: Records<UsageRecord> | undefined
  readonly storage: Pick<Storage, 'openScope'>
  readonly options: Pick<ServerOptions, 'root'>
  readonly roots: Pick<RootIndex, 'linksAt'>
  readonly openUploads: { all(): Promise<readonly UploadRecord[]> }
  readonly log: Logger
}

/** The usage of some scopes, during a change. */
export interface UsageBook {
  /** Milliseconds since 1970, by the clock that all daemons share. */
  readonly now: number
  get(scope: VirtualPath): ScopeUsage | undefined
  set(scope: VirtualPath, usage: ScopeUsage): void
}

/** Milliseconds after its last change until the usage of a scope is forgotten. It is counted again when it is needed. */
const LIFETIME = 24 * 60 * 60_000

/** The usage of scopes, shared by all daemons. Files are counted only on request. */
export class UsageLedger implements AsyncDisposable {
  readonly #deps: UsageLedgerDeps
  readonly #counts = new SingleFlight<void>()
  readonly #stop = new AbortController()
  readonly #running = new Set<Promise<void>>()
  #saved: SavedUsage | undefined

  constructor(deps: UsageLedgerDeps) {
    this.#deps = deps
  }

  /** Changes the usage of these scopes in one transaction. @throws STORE_BUSY while the database is away */
  async change<T>(scopes: readonly VirtualPath[], change: (book: UsageBook) => T): Promise<T> {
    const { result, after, now } = await this.#deps.facts.change(scopes.map(keyOf), (facts) => {
      const get = (scope: VirtualPath) => facts.get(keyOf(scope)) as ScopeUsage | undefined
      const set = (scope: VirtualPath, usage: ScopeUsage) => facts.set(keyOf(scope), usage, LIFETIME)
      const changed = change({ now: facts.now, get, set })
      return { result: changed, after: scopes.map((scope) => [scope, get(scope)] as const), now: facts.now }
    })
    const saved = this.#saved
    if (saved !== undefined) for (const [scope, usage] of after) await saved.keep(scope, usage, now)
    return result
  }

  /**
   * Begins with what the last run has counted, and saves it for the next one; only for a daemon. What may not be exact, because
   * the last run did not end by itself, is counted again in the background, the rest when it is used.
   */
  async resume(limited: ReadonlySet<VirtualPath>): Promise<void> {
    const { usageRecords: records, options, log } = this.#deps
    if (records === undefined) return
    const saved = new SavedUsage({ records, root: options.root, log })
    const found = (await saved.load(limited)).map((record) => ({ ...record, scope: cleanVirtualPath(record.scope) }))
    for (const record of found) await this.change([record.scope], (book) => book.set(record.scope, savedUsage(record)))
    this.#saved = saved
    void this.#countEach(found.filter(({ isFinal }) => !isFinal).map(({ scope }) => scope))
  }

  /** Call it before files of unknown size come into these scopes, and dispose of the result when they have come. */
  async suspendSaving(scopes: readonly VirtualPath[]): Promise<Disposable | undefined> {
    return await this.#saved?.suspend(scopes)
  }

  /** One after another, so that they do not keep the disk from requests. */
  async #countEach(scopes: readonly VirtualPath[]): Promise<void> {
    for (const scope of scopes) if (!this.#stop.signal.aborted) await this.countLater(scope)
  }

  /** Counts the files of a scope, or waits for a count that has begun. */
  async count(scope: VirtualPath, signal?: AbortSignal): Promise<void> {
    const stop = signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal])
    await this.#counts.run(scope, async (own) => await this.#count(scope, own), stop)
  }

  /** Counts in the background: a failure is only logged. Resolves when the count has ended. */
  async countLater(scope: VirtualPath): Promise<void> {
    const counted = this.count(scope).catch((error: unknown) => {
      if (isFilemgrError(error, 'CANCELLED')) return
      this.#deps.log.warn({ err: error, scope }, 'the files of a quota could not be counted')
    })
    this.#running.add(counted)
    void counted.then(() => this.#running.delete(counted))
    await counted
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await Promise.all(this.#running)
    await this.#saved?.finish(
      async (scope) => await this.change([scope], (book) => ({ usage: book.get(scope), now: book.now })),
    )
  }

  async #count(scope: VirtualPath, signal: AbortSignal): Promise<void> {
    const begun = await this.change([scope], (book) => {
      const usage = book.get(scope) ?? UNKNOWN
      // Without a record, changes during the first count would not be recorded.
      book.set(scope, usage)
      return usage
    })
    const start = performance.now()
    const total = await this.#inScope(scope, async (opened) => {
      // Uploads come first: one that ends meanwhile is then counted twice rather than not at all.
      const uploads = await this.#unfinished(scope, opened)
      return sum(uploads, await opened.measure(ROOT, signal))
    })
    const took = Math.ceil(performance.now() - start)
    await this.change([scope], (book) => {
      book.set(scope, withCount(book.get(scope) ?? UNKNOWN, begun, { found: total, at: book.now, took }))
    })
  }

  /** Unfinished uploads, which count with all that they will add until the staged file gets its final name. */
  async #unfinished(scope: VirtualPath, { staging }: Scope): Promise<Amount> {
    let total = NOTHING
    for (const upload of await this.#deps.openUploads.all()) {
      const { scope: folder, path, staged } = upload
      const target = below(cleanVirtualPath(folder), path as VirtualPath)
      if (!holds(scope, target)) continue
      const isStaged = await unlessFails(staging.state(relativeTo(scope, target), staged), 'NOT_FOUND')
      if (isStaged !== undefined) total = sum(total, amountOf(upload))
    }
    return total
  }

  /** A home folder that does not exist has no files. */
  async #inScope(scope: VirtualPath, work: (opened: Scope) => Promise<Amount>): Promise<Amount> {
    const { storage, roots } = this.#deps
    const measure = async () => {
      using opened = await storage.openScope(storagePathOf(scope), roots.linksAt(scope))
      return await work(opened)
    }
    return (await unlessFails(measure(), 'NOT_FOUND')) ?? NOTHING
  }
}

/** Facts of versions that did not count folders begin with "usage/". They are not used, since they say too little. */
function keyOf(scope: VirtualPath): string {
  return `used/${scope}`
}
