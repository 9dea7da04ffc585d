import { type Context, createContext } from '../context.ts'
import { type OptionInput, type ResolvedOptions, resolveOptions } from '../options.ts'
import type { Logger, LogOutput } from '../platform/logging/logger.ts'
import { orRelease } from '../platform/or-release.ts'
import { memoryStores, type Stores } from '../store/open-stores.ts'
import { createStoreAt, openStoresAt, storeExistsAt, type StoreLocation } from '../store/location.ts'
import { fail, isFilemgrError } from '../domain/errors.ts'
import type { ServerOptions } from '../domain/server/server-options.ts'
import { withoutPassword } from '../domain/server/store-url.ts'
import { requirePasswordlessUser, requireSafeSignIn } from '../services/accounts/auth/sign-in-problem.ts'
import { removeUnfinishedRestores, removeUnusedBranding } from '../store/disk/backup-folders.ts'
import { refuseSecondDaemon, runtimeFolder } from './daemon-record.ts'
import { OwnRecord } from './own-record.ts'
import {
  type AccountInput,
  type FirstDocument,
  firstDocument,
  forgetFirstPassword,
  keepFirstPassword,
  type NewAccount,
  unseenAccount,
} from './first-start.ts'
import { beginSharedStaging, beginStaging, hadStore, type StagingRun } from './staging-run.ts'

export interface ContextRequest extends Omit<OptionInput, 'stored'> {
  readonly location: StoreLocation
  readonly log: Logger
  /** The start-up values of the running daemon, used instead of resolving them again. */
  readonly inForce?: ResolvedOptions | undefined
}

/**
 * Opens the store for one command, whether or not a daemon runs.
 *
 * @throws NOT_FOUND when there is no store; STORE_INVALID, STORE_BUSY; INVALID_INPUT for a wrong start-up value
 */
export async function openContext({ location, log, inForce, ...input }: ContextRequest): Promise<Context> {
  const { folder } = location
  const stores = await openStoresAt(location, { log })
  try {
    const { options, sources } = inForce ?? resolveOptions({ ...input, stored: stores.store.snapshot().server })
    return await createContext({
      options,
      optionSources: sources,
      stores,
      dataFolder: folder,
      log,
      hasActivityFile: location.url === '' || hadStore(folder),
    })
  } catch (error) {
    await stores[Symbol.asyncDispose]()
    throw error
  }
}

export interface ServeRequest extends Omit<OptionInput, 'stored'> {
  /** Undefined keeps everything in memory. */
  readonly location: StoreLocation | undefined
  /** The administrator that the first start creates. */
  readonly account: AccountInput
  readonly version: string
  readonly configPath: string | undefined
  /** The log for opening the store, before the options say where to log. */
  readonly startLog: Logger
  openLog(options: ServerOptions): Promise<LogOutput>
  /** Checks the effective values before anything is created. */
  check(resolved: ResolvedOptions): Promise<void>
}

export interface ServeContext extends AsyncDisposable {
  readonly context: Context
  readonly log: LogOutput
  /** Undefined without a data folder. */
  readonly record: OwnRecord | undefined
  /** Where commands send their operations; undefined without a data folder. */
  readonly control: Stores['control'] | undefined
  /** The account that this start created, or an earlier start that failed before it could show the password. */
  readonly newAccount: NewAccount | undefined
  /** Call this once the password has been shown. */
  forgetPassword(): Promise<void>
}

/**
 * Opens the store for a daemon, or creates it at the first start, but only if all values are valid.
 *
 * @throws STORE_BUSY if a daemon already uses it; STORE_INVALID, NO_SPACE, INVALID_INPUT
 */
export async function openServeContext(request: ServeRequest): Promise<ServeContext> {
  const { location } = request
  if (location !== undefined && (await storeExistsAt(location))) return await openExisting(location, request)
  if (location !== undefined && location.url !== '') await refuseForgottenStore(location)
  const resolved = resolveOptions(request)
  await request.check(resolved)
  const first = await firstDocument(request.account, { root: resolved.options.root })
  const { document, account } = first
  if (location !== undefined)
    return await openExisting(location, request, await createUnlessThere(location, first, request))
  return await served({
    stores: memoryStores(document, request.startLog),
    resolved,
    request,
    record: undefined,
    account,
  })
}

/** @returns the new account; undefined if another machine, started at the same time, was faster to create the store */
async function createUnlessThere(
  location: StoreLocation,
  first: FirstDocument,
  { startLog }: ServeRequest,
): Promise<NewAccount | undefined> {
  const keepPassword = async () => await keepFirstPassword(location.folder, first)
  try {
    await createStoreAt(location, first.document, startLog, keepPassword)
    return first.account
  } catch (error) {
    if (location.url === '' || !isFilemgrError(error, 'CONFLICT')) throw error
    return undefined
  }
}

/** With a new store in the database, the accounts of the data folder would seem to be gone. @throws CONFLICT */
async function refuseForgottenStore({ folder, url }: StoreLocation): Promise<void> {
  if (!(await storeExistsAt({ folder, url: '' }))) return
  const advice = `copy it with "filemgr store copy --from ${folder} --to ${withoutPassword(url)}", or choose another --data`
  fail('CONFLICT', `the database is empty, but there is a store in ${folder}: ${advice}`)
}

async function openExisting(location: StoreLocation, request: ServeRequest, made?: NewAccount): Promise<ServeContext> {
  const { folder, url } = location
  const runtime = runtimeFolder(folder)
  await refuseSecondDaemon(runtime)
  const stores = await openStoresAt({ folder: runtime, url }, { log: request.startLog, daemon: true })
  return await orRelease(stores, async () => {
    const record = await OwnRecord.write(runtime, request.version)
    return await orRelease(record, async () => {
      if (runtime === folder) await removeLeftovers(folder, stores)
      const resolved = resolveOptions({ ...request, stored: stores.store.snapshot().server })
      await request.check(resolved)
      const { settings, users } = stores.store.snapshot()
      requireSafeSignIn({ settings, options: resolved.options })
      requirePasswordlessUser({ settings, options: resolved.options, users })
      await record.publish({ inForce: { ...resolved, workingFolder: request.workingFolder } })
      const account = made ?? (await unseenAccount(folder, stores.store.snapshot()))
      return await served({ stores, resolved, request, record, account })
    })
  })
}

/** Only for the holder of the lock of the data folder. */
async function removeLeftovers(folder: string, { store }: Stores): Promise<void> {
  await removeUnfinishedRestores(folder)
  await removeUnusedBranding(folder, store.snapshot().brandingFolder, new Date())
}

interface ServeParts {
  readonly stores: Stores
  readonly resolved: ResolvedOptions
  readonly request: ServeRequest
  readonly record: OwnRecord | undefined
  readonly account: NewAccount | undefined
}

async function served({ stores, resolved, request, record, account }: ServeParts): Promise<ServeContext> {
  const { options, sources } = resolved
  const log = await request.openLog(options)
  const folder = request.location?.folder
  // Not awaited: it waits for the disk, and only the storage needs it.
  const staging = folder === undefined ? undefined : stagingOf(stores, folder, log)
  const parts = { options, optionSources: sources, stores, log, configFile: request.configPath, staging }
  const context = await createContext({ ...parts, ...(folder !== undefined && { dataFolder: folder }) }).catch(
    async (error: unknown) => {
      await staging
      throw error
    },
  )
  return {
    context,
    log,
    record,
    control: stores.control,
    newAccount: account,
    async forgetPassword() {
      if (folder !== undefined) await forgetFirstPassword(folder)
    },
    async [Symbol.asyncDispose]() {
      // Before the lock is released: afterwards, the record may be that of the next daemon.
      await record?.[Symbol.asyncDispose]()
      // Then commands wait until the lock is released, and perform their operations themselves.
      await stores.control?.[Symbol.asyncDispose]()
      await context[Symbol.asyncDispose]()
      log[Symbol.dispose]()
    },
  }
}

async function stagingOf({ shared }: Stores, folder: string, log: Logger): Promise<StagingRun> {
  return shared === undefined ? await beginStaging(folder, log) : beginSharedStaging(shared.leases)
}
