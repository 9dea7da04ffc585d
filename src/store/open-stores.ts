import { stat, rm } from 'node:fs/promises'
import { join, basename } from 'node:path'
import { fail } from '../domain/errors.ts'
import type { Session } from '../domain/accounts/session.ts'
import type { Clock } from '../platform/clock.ts'
import { silentLogger } from '../platform/logging/logger.ts'
import { type ControlSocket, listenForCommands } from './writer/control-socket.ts'
import { checkDataFolder, createDataFolder } from './disk/data-folder.ts'
import { diskFailure } from './disk/disk.ts'
import { unlessErrno } from '../platform/files/error-code.ts'
import { createDocumentCodec } from './json/document-codec.ts'
import { STORE_FORMAT, type StoreDocument } from './document.ts'
import { copiesOf, copyAside, replaceDocument } from './json/recovery-copies.ts'
import { createMemoryStore } from './json/memory-store.ts'
import { JsonAdapter } from './json/json-adapter.ts'
import { openJsonStore } from './json/open-json-store.ts'
import { memorySessions, openSessions, SESSIONS } from './records/session-records.ts'
import type { StoreLog, Collection, Shared, Store } from './store.ts'
import { takeDataLock } from './writer/data-lock.ts'

const COPIES = 3

export interface Stores extends AsyncDisposable {
  readonly store: Store<StoreDocument>
  readonly sessions: Collection<Session>
  /** Undefined if no other daemons can use the store; see `soleDaemon`. */
  readonly shared?: Shared
  /** Only of a daemon that others can reach. */
  readonly control?: ControlSocket
}

export interface OpenStoresOptions {
  /** The data folder. */
  readonly folder: string
  readonly log?: StoreLog
  readonly clock?: Clock
  /** False to refuse a damaged file instead of going back to a recovery copy. */
  readonly repair?: boolean
  /** True for the daemon: it alone writes until it closes the stores. */
  readonly daemon?: boolean
}

/**
 * Opens the store and the sessions of a data folder.
 *
 * @throws NOT_FOUND when there is no store yet; STORE_INVALID (damaged, newer, folder not ours or not writable); STORE_BUSY
 */
export async function openStores({ folder, daemon = false, ...options }: OpenStoresOptions): Promise<Stores> {
  if (!(await storeExists(folder)))
    fail('NOT_FOUND', `There is no store in ${folder} yet. Create one: filemgr init`, { reason: 'no store' })
  await checkDataFolder(folder, options.log ?? silentLogger)
  await using opened = new AsyncDisposableStack()
  if (daemon) opened.use(await takeDataLock(folder))
  const path = storePath(folder)
  const store = opened.use(await openJsonStore({ ...STORE_FORMAT, ...options, daemon, path, copies: COPIES }))
  const sessions = opened.use(await openSessions(folder, daemon, options.log ?? silentLogger))
  const control = daemon ? opened.use(await listenForCommands(folder)) : undefined
  const all = opened.move()
  return { store, sessions, ...(control && { control }), [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

/**
 * Creates the store of a data folder, and the folder.
 *
 * @param prepare writes what must exist before the store does
 * @throws CONFLICT when there is one; INVALID_INPUT for an invalid document; STORE_INVALID, NO_SPACE
 */
export async function createStore(
  folder: string,
  document: StoreDocument,
  log: StoreLog = silentLogger,
  prepare: () => Promise<void> = async () => undefined,
): Promise<void> {
  await createDataFolder(folder)
  await checkDataFolder(folder, log)
  await writeStore(folder, document, async () => {
    if (await storeExists(folder)) fail('CONFLICT', `There is a store in ${folder} already.`)
    await prepare()
  })
}

/**
 * Replaces a damaged store with a document, or creates a missing one. The damaged file is kept.
 *
 * @param ending extension under which the damaged file is kept
 * @returns the name of the kept file; "" when there was none
 * @throws STORE_BUSY, STORE_INVALID, NO_SPACE
 */
export async function replaceStore(folder: string, document: StoreDocument, ending: string): Promise<string> {
  await createDataFolder(folder)
  return await writeStore(folder, document, async (path) => {
    const kept = await copyAside(path, ending)
    // Sessions first: which users they belong to is unknown, and they must not open accounts of the new store.
    await rm(join(folder, SESSIONS), { force: true, recursive: true })
    return kept === undefined ? '' : basename(kept)
  })
}

/** Writes a whole store under the lock, after `prepare`. */
async function writeStore<T>(
  folder: string,
  document: StoreDocument,
  prepare: (path: string) => Promise<T>,
): Promise<T> {
  const path = storePath(folder)
  const codec = storeCodec()
  const bytes = await codec.encode(codec.validate(document))
  try {
    using _lock = await takeDataLock(folder)
    const prepared = await prepare(path)
    await replaceDocument(path, bytes, COPIES)
    return prepared
  } catch (error) {
    throw diskFailure(error, path, 'saved')
  }
}

/**
 * Reads the store of a data folder without a lock, and without changing anything.
 *
 * @returns the document, null if there is none, and what is wrong with the journal beside it
 * @throws STORE_INVALID
 */
export async function readStore(folder: string) {
  const codec = createDocumentCodec({ ...STORE_FORMAT, name: 'store.json' })
  await using adapter = new JsonAdapter({ path: storePath(folder), codec, copies: COPIES, log: silentLogger })
  const document = await adapter.read()
  return { document, journalProblem: adapter.journalProblem }
}

/** Encodes and decodes a document as store.json holds it. */
export function storeCodec() {
  const { encode, decode, validate } = createDocumentCodec({ ...STORE_FORMAT, name: 'store.json' })
  return {
    encode: async (document: Readonly<StoreDocument>) => Buffer.concat((await encode(document)).pieces),
    validate,
    decode: (bytes: Uint8Array): Readonly<StoreDocument> => decode(bytes).document,
    /** The version of the filemgr that wrote it; undefined before 1.0. @throws as `decode` */
    writerOf: (bytes: Uint8Array) => decode(bytes).writer,
  }
}

/**
 * True even if only recovery copies exist: then the store is damaged, not missing.
 *
 * @throws STORE_INVALID if this account may not enter the folder
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

/** Stores in memory only, for `serve --ephemeral` and for tests. */
export function memoryStores(document: StoreDocument, log: StoreLog = silentLogger): Stores {
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
