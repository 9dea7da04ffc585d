import { join } from 'node:path'
import { createContext, type Context } from '../context.ts'
import type { ServerOptions } from '../domain/server-options.ts'
import { resolveOptions, type OptionInput, type ResolvedOptions } from '../options.ts'
import { requireSafeSignIn } from '../services/auth/sign-in-problem.ts'
import type { LogOutput, Logger } from '../platform/logger.ts'
import { createStore, memoryStores, openStores, storeExists, type Stores } from '../store/open-stores.ts'
import { removeUnfinishedRestores } from './backup-place.ts'
import { DaemonClaim, readDaemon } from './daemon-record.ts'
import { firstDocument, type AccountInput, type NewAccount } from './first-start.ts'

export interface ServeRequest extends Omit<OptionInput, 'stored'> {
  /** The data folder; without it nothing is kept. */
  readonly folder: string | undefined
  /** The administrator that a first start makes. */
  readonly account: AccountInput
  readonly version: string
  /** Hears of the store while it is opened, before the options say where the log goes. */
  readonly startLog: Logger
  openLog(options: ServerOptions): Promise<LogOutput>
  /** Looks at the values in force before anything is made for them. */
  check(resolved: ResolvedOptions): Promise<void>
}

/** What a daemon stands on. */
export interface ServeContext extends AsyncDisposable {
  readonly context: Context
  readonly log: LogOutput
  /** None where nothing is kept. */
  readonly claim: DaemonClaim | undefined
  /** Made by the first start only. */
  readonly newAccount: NewAccount | undefined
}

/**
 * Opens the data folder for a daemon, or makes it at the first start. Nothing is made unless the values are sound.
 *
 * @throws STORE_BUSY when a daemon runs on it already; STORE_INVALID, NO_SPACE, INVALID_INPUT
 */
export async function openServeContext(request: ServeRequest): Promise<ServeContext> {
  const { folder } = request
  if (folder !== undefined && (await storeExists(folder))) return await openKept(folder, request)
  const resolved = resolveOptions(request)
  await request.check(resolved)
  const { document, account } = await firstDocument(request.account, { root: resolved.options.root })
  if (folder !== undefined) {
    await createStore(folder, document, request.startLog)
    return await openKept(folder, request, account)
  }
  return await served({
    stores: memoryStores(document, request.startLog),
    resolved,
    request,
    claim: undefined,
    account,
  })
}

async function openKept(folder: string, request: ServeRequest, account?: NewAccount): Promise<ServeContext> {
  const repair = (await readDaemon(folder)) === undefined
  const stores = await openStores({ folder, log: request.startLog, repair })
  return await orRelease(stores, async () => {
    const claim = await DaemonClaim.take(folder, request.version)
    return await orRelease(claim, async () => {
      await removeUnfinishedRestores(folder)
      const resolved = resolveOptions({ ...request, stored: stores.store.snapshot().server })
      await request.check(resolved)
      requireSafeSignIn({ settings: stores.store.snapshot().settings, options: resolved.options })
      return await served({ stores, resolved, request, claim, account })
    })
  })
}

interface Ground {
  readonly stores: Stores
  readonly resolved: ResolvedOptions
  readonly request: ServeRequest
  readonly claim: DaemonClaim | undefined
  readonly account: NewAccount | undefined
}

async function served({ stores, resolved, request, claim, account }: Ground): Promise<ServeContext> {
  const { options, sources } = resolved
  const log = await request.openLog(options)
  const { folder } = request
  const dataFolder = folder === undefined ? {} : { dataFolder: folder, journal: join(folder, 'staging.log') }
  const context = await createContext({ options, optionSources: sources, stores, log, ...dataFolder })
  return {
    context,
    log,
    claim,
    newAccount: account,
    async [Symbol.asyncDispose]() {
      await context[Symbol.asyncDispose]()
      await claim?.[Symbol.asyncDispose]()
      log[Symbol.dispose]()
    },
  }
}

/** Hands the resource on with the result, or closes it when there is none. */
async function orRelease<T>(resource: AsyncDisposable, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await resource[Symbol.asyncDispose]()
    throw error
  }
}
