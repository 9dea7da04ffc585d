import type { Session } from '../domain/accounts/session.ts'
import { silentLogger } from '../platform/logging/logger.ts'
import { checkDataFolder, createDataFolder } from './disk/data-folder.ts'
import type { StoreDocument } from './document.ts'
import {
  createStore,
  openStores,
  type OpenStoresOptions,
  replaceStore,
  storeExists,
  type Stores,
} from './open-stores.ts'
import type { SharedAudit, StoreLog } from './store.ts'
import { listenForCommands } from './writer/control-socket.ts'
import { takeDataLock } from './writer/data-lock.ts'

/** Where accounts, settings, links and sessions are: in a database, or in files in the data folder. */
export interface StoreLocation {
  /** The data folder. With a database, it has what belongs to this machine alone, such as logs and unfinished uploads. */
  readonly folder: string
  /** URL of the database, with its credentials; "" for files. */
  readonly url: string
}

type OpenOptions = Pick<OpenStoresOptions, 'log' | 'daemon' | 'repair'>

/** Loaded on demand, since most installations use files. */
const postgres = async () => await import('./postgres/open-postgres.ts')

/** Opens the store at a location. @throws as `openStores` and `openPostgres` */
export async function openStoresAt({ folder, url }: StoreLocation, options: OpenOptions): Promise<Stores> {
  const { log = silentLogger, daemon = false } = options
  if (url === '') return await openStores({ folder, ...options })
  await using opened = new AsyncDisposableStack()
  if (daemon) {
    await createDataFolder(folder)
    await checkDataFolder(folder, log)
    opened.use(await takeDataLock(folder))
  }
  const { openPostgres } = await postgres()
  const shared = opened.use(await openPostgres({ url, log, follows: daemon }))
  const control = daemon ? opened.use(await listenForCommands(folder)) : undefined
  const all = opened.move()
  return { ...shared, ...(control && { control }), [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

/** @throws as `storeExists` and `postgresHasStore` */
export async function storeExistsAt({ folder, url }: StoreLocation): Promise<boolean> {
  if (url === '') return await storeExists(folder)
  const { postgresHasStore } = await postgres()
  return await postgresHasStore(url)
}

/** Creates the store at a location. @throws as `createStore` and `createPostgres` */
export async function createStoreAt(
  { folder, url }: StoreLocation,
  document: StoreDocument,
  log: StoreLog,
  prepare?: () => Promise<void>,
): Promise<void> {
  if (url === '') {
    await createStore(folder, document, log, prepare)
    return
  }
  const { createPostgres } = await postgres()
  await createPostgres(url, { document }, prepare && { prepare: async () => await prepareIn(folder, prepare) })
}

/** The activity log of all daemons; undefined if there is only one, or no store, or the database is away. */
export async function openAuditAt(
  location: StoreLocation,
  log: StoreLog,
): Promise<(SharedAudit & AsyncDisposable) | undefined> {
  if (location.url === '' || !(await storeExistsAt(location).catch(() => false))) return undefined
  const { openPostgresAudit } = await import('./postgres/postgres-audit.ts')
  return openPostgresAudit(location.url, log)
}

/** What `filemgr store copy` copies. */
export interface StoreContent {
  readonly document: StoreDocument
  readonly sessions: readonly Session[]
}

export interface FillOptions {
  readonly log: StoreLog
  /** Extension under which a file that is replaced is kept; undefined to refuse if there is a store. */
  readonly replacedEnding?: string | undefined
}

/** Creates the store at a location with its sessions, or replaces it. @throws as `createStoreAt`, `replaceStore` */
export async function fillStoreAt(
  { folder, url }: StoreLocation,
  { document, sessions }: StoreContent,
  { log, replacedEnding }: FillOptions,
): Promise<void> {
  if (url !== '') {
    const { createPostgres } = await postgres()
    await createPostgres(url, { document, sessions }, { replace: replacedEnding !== undefined })
    return
  }
  if (replacedEnding === undefined) await createStore(folder, document, log)
  else await replaceStore(folder, document, replacedEnding)
  // Sessions last: those of the old store must not open accounts of the new one.
  await using stores = await openStores({ folder, log })
  await stores.sessions.change({ put: sessions })
}

/** Replaces a store that is missing or damaged. @returns the name of the file that was kept, or "" */
export async function replaceStoreAt(
  { folder, url }: StoreLocation,
  document: StoreDocument,
  ending: string,
): Promise<string> {
  if (url === '') return await replaceStore(folder, document, ending)
  const { createPostgres } = await postgres()
  await createPostgres(url, { document }, { replace: true })
  return ''
}

async function prepareIn(folder: string, prepare: () => Promise<void>): Promise<void> {
  await createDataFolder(folder)
  await prepare()
}
