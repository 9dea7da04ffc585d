import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../domain/errors.ts'
import type { Clock } from '../platform/clock.ts'
import { writeAtomic } from './atomic-file.ts'
import { checkDataFolder, createDataFolder } from './data-folder.ts'
import { diskFailure } from './disk-failure.ts'
import { unlessErrno } from './disk.ts'
import { createDocumentCodec } from './document-codec.ts'
import { SESSIONS_VERSION, SessionDocument, STORE_VERSION, StoreDocument } from './document.ts'
import { takeFileLock } from './file-lock.ts'
import { copiesOf, keepCopy } from './good-copies.ts'
import { createMemoryStore } from './memory-store.ts'
import { SESSION_MIGRATIONS, STORE_MIGRATIONS } from './migrations.ts'
import { openJsonStore } from './open-json-store.ts'
import { replaceStoreFile } from './replace-store.ts'
import { findStoreProblem } from './store-problem.ts'
import { silentLog, type StoreLog } from './store-log.ts'
import type { Store } from './store.ts'

const COPIES = 3

const STORE_FORMAT = {
  schema: StoreDocument,
  version: STORE_VERSION,
  migrations: STORE_MIGRATIONS,
  findProblem: findStoreProblem,
}
const SESSION_FORMAT = { schema: SessionDocument, version: SESSIONS_VERSION, migrations: SESSION_MIGRATIONS }

const noSessions = (): SessionDocument => ({ version: SESSIONS_VERSION, sessions: [] })

export interface Stores extends AsyncDisposable {
  readonly store: Store<StoreDocument>
  readonly sessions: Store<SessionDocument>
}

export interface OpenStoresOptions {
  /** The data folder. */
  readonly folder: string
  readonly log?: StoreLog
  readonly clock?: Clock
  /** False beside a running daemon: a damaged file is then refused, since somebody is editing it. */
  readonly repair?: boolean
}

/**
 * Opens the two documents of a data folder.
 *
 * @throws NOT_FOUND when there is no store yet; STORE_INVALID (damaged, newer, folder not ours or not writable); STORE_BUSY
 */
export async function openStores({ folder, ...options }: OpenStoresOptions): Promise<Stores> {
  if (!(await storeExists(folder))) fail('NOT_FOUND', `There is no store in ${folder} yet. Create one: filemgr init`)
  await checkDataFolder(folder, options.log ?? silentLog)
  const store = await openJsonStore({ ...STORE_FORMAT, ...options, path: storePath(folder), copies: COPIES })
  try {
    // No good copies: going back to one would bring sessions back that were ended. Without sessions one signs in again.
    const path = join(folder, 'sessions.json')
    const sessions = await openJsonStore({ ...SESSION_FORMAT, ...options, path, copies: 0, create: noSessions })
    return bundle(store, sessions)
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}

/**
 * Creates the store of a data folder, and the folder.
 *
 * @throws CONFLICT when there is one; INVALID_INPUT for a document that is none; STORE_INVALID, NO_SPACE
 */
export async function createStore(folder: string, document: StoreDocument, log: StoreLog = silentLog): Promise<void> {
  const path = storePath(folder)
  const codec = createDocumentCodec({ ...STORE_FORMAT, name: 'store.json' })
  const bytes = codec.encode(codec.admit(document))
  await createDataFolder(folder)
  await checkDataFolder(folder, log)
  try {
    await using _lock = await takeFileLock(`${path}.lock`)
    if (await storeExists(folder)) fail('CONFLICT', `There is a store in ${folder} already.`)
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
 * Puts a document in the place of a damaged store, or of none, also beneath a running daemon.
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

/** The two documents in memory only, for `serve --ephemeral` and for tests. */
export function memoryStores(document: StoreDocument, log: StoreLog = silentLog): Stores {
  return bundle(
    createMemoryStore({ ...STORE_FORMAT, document, log }),
    createMemoryStore({ ...SESSION_FORMAT, document: noSessions(), log }),
  )
}

const storePath = (folder: string) => join(folder, 'store.json')

function bundle(store: Store<StoreDocument>, sessions: Store<SessionDocument>): Stores {
  return {
    store,
    sessions,
    async [Symbol.asyncDispose]() {
      await Promise.all([store[Symbol.asyncDispose](), sessions[Symbol.asyncDispose]()])
    },
  }
}
