import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../domain/errors.ts'
import type { Session } from '../domain/session.ts'
import type { Clock } from '../platform/clock.ts'
import { writeAtomic } from './atomic-file.ts'
import { listenForCommands } from './control-socket.ts'
import { checkDataFolder, createDataFolder } from './data-folder.ts'
import { diskFailure } from './disk-failure.ts'
import { unlessErrno } from './disk.ts'
import { createDocumentCodec } from './document-codec.ts'
import { STORE_VERSION, StoreDocument } from './document.ts'
import { copiesOf, keepCopy } from './good-copies.ts'
import { createMemoryStore } from './memory-store.ts'
import { STORE_MIGRATIONS } from './migrations.ts'
import type { JsonStore } from './json-store.ts'
import { openJsonStore } from './open-json-store.ts'
import { replaceStoreFile } from './replace-store.ts'
import { memorySessions, openSessions, sessionsTakeOver } from './session-records.ts'
import { findStoreProblem } from './store-problem.ts'
import { silentLog, type StoreLog } from './store-log.ts'
import type { Collection, Store } from './store.ts'
import { takeDataLock, type HandOver } from './writer.ts'

const COPIES = 3

const STORE_FORMAT = {
  schema: StoreDocument,
  version: STORE_VERSION,
  migrations: STORE_MIGRATIONS,
  findProblem: findStoreProblem,
}

export interface Stores extends AsyncDisposable {
  readonly store: Store<StoreDocument>
  readonly sessions: Collection<Session>
}

export interface OpenStoresOptions {
  /** The data folder. */
  readonly folder: string
  readonly log?: StoreLog
  readonly clock?: Clock
  /** False to refuse a damaged file, and not to go back to a good copy. */
  readonly repair?: boolean
  /** True for the daemon: it alone writes until it closes the stores, and takes the changes of the commands beside it. */
  readonly daemon?: boolean
}

/**
 * Opens the store and the sessions of a data folder.
 *
 * @throws NOT_FOUND when there is no store yet; STORE_INVALID (damaged, newer, folder not ours or not writable); STORE_BUSY
 */
export async function openStores({ folder, daemon = false, ...options }: OpenStoresOptions): Promise<Stores> {
  if (!(await storeExists(folder))) fail('NOT_FOUND', `There is no store in ${folder} yet. Create one: filemgr init`)
  await checkDataFolder(folder, options.log ?? silentLog)
  await using held = new AsyncDisposableStack()
  if (daemon) held.use(await takeDataLock(folder))
  const how = { ...options, watches: daemon, ...(daemon && { reach: async () => WRITES_ITSELF }) }
  const store = held.use(await openJsonStore({ ...STORE_FORMAT, ...how, path: storePath(folder), copies: COPIES }))
  const sessions = held.use(await openSessions(folder, daemon, options.log ?? silentLog))
  if (daemon) held.use(await takeChanges(folder, store, sessions))
  const all = held.move()
  return { store, sessions, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

/** The holder of the lock needs no other way to write. */
const WRITES_ITSELF = { [Symbol.dispose]: () => undefined }

async function takeChanges(
  folder: string,
  store: Pick<JsonStore<object>, 'takeOver'>,
  sessions: Collection<Session>,
): Promise<AsyncDisposable> {
  const changeSessions = sessionsTakeOver(sessions)
  return await listenForCommands(folder, async (question) => {
    const change = question as HandOver
    if ('sessions' in change) return await changeSessions(change.sessions)
    if (change.file === 'store.json') return await store.takeOver(change.base, change.document)
    return fail('INVALID_INPUT', 'the daemon is asked for what it does not know: it may be of another version')
  })
}

/**
 * Creates the store of a data folder, and the folder.
 *
 * @param prepare writes what must be there once the store is
 * @throws CONFLICT when there is one; INVALID_INPUT for a document that is none; STORE_INVALID, NO_SPACE
 */
export async function createStore(
  folder: string,
  document: StoreDocument,
  log: StoreLog = silentLog,
  prepare: () => Promise<void> = async () => undefined,
): Promise<void> {
  const path = storePath(folder)
  const codec = createDocumentCodec({ ...STORE_FORMAT, name: 'store.json' })
  const bytes = codec.encode(codec.admit(document))
  await createDataFolder(folder)
  await checkDataFolder(folder, log)
  try {
    using _lock = await takeDataLock(folder)
    if (await storeExists(folder)) fail('CONFLICT', `There is a store in ${folder} already.`)
    await prepare()
    await writeAtomic(path, bytes)
    await keepCopy(path, bytes, COPIES)
  } catch (error) {
    throw diskFailure(error, path, 'saved')
  }
}

/** How store.json says a document. */
export function storeCodec() {
  const { encode, decode } = createDocumentCodec({ ...STORE_FORMAT, name: 'store.json' })
  return { encode, decode: (bytes: Uint8Array): Readonly<StoreDocument> => decode(bytes).document }
}

/**
 * Puts a document in the place of a damaged store, or of none.
 *
 * @param ending of the name under which the damaged file is kept
 * @returns the name of the kept file; "" when there was none
 * @throws STORE_BUSY, STORE_INVALID, NO_SPACE
 */
export async function replaceStore(folder: string, document: StoreDocument, ending: string): Promise<string> {
  const codec = createDocumentCodec({ ...STORE_FORMAT, name: 'store.json' })
  const bytes = codec.encode(codec.admit(document))
  return await replaceStoreFile(folder, { path: storePath(folder), bytes, copies: COPIES, ending })
}

/**
 * True also when only its good copies are left: then it is damaged, not absent.
 *
 * @throws STORE_INVALID when the folder may not be entered
 */
export async function storeExists(folder: string): Promise<boolean> {
  const path = storePath(folder)
  const paths = [path, ...copiesOf(path, COPIES)]
  try {
    const found = await Promise.all(paths.map((name) => unlessErrno(stat(name), 'ENOENT', 'ENOTDIR')))
    return found.some((stats) => stats !== undefined)
  } catch (error) {
    throw diskFailure(error, path, 'opened')
  }
}

/** Both in memory only, for `serve --ephemeral` and for tests. */
export function memoryStores(document: StoreDocument, log: StoreLog = silentLog): Stores {
  const store = createMemoryStore({ ...STORE_FORMAT, document, log })
  const sessions = memorySessions(log)
  return {
    store,
    sessions,
    async [Symbol.asyncDispose]() {
      await Promise.all([store[Symbol.asyncDispose](), sessions[Symbol.asyncDispose]()])
    },
  }
}

const storePath = (folder: string) => join(folder, 'store.json')
