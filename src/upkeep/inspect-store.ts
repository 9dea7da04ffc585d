import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GroupIndex } from '../domain/accounts/effective-user.ts'
import { PlaceList } from '../domain/accounts/place-list.ts'
import { fail, isFilemgrError, problemIn } from '../domain/errors.ts'
import type { User } from '../domain/accounts/user.ts'
import { RootIndex } from '../services/stored-roots.ts'
import type { VirtualPath } from '../domain/files/virtual-path.ts'
import type { UserId } from '../domain/ids.ts'
import type { TargetState } from '../domain/shares/share.ts'
import type { StoreDocument } from '../store/document.ts'
import { withDowngradeHint } from '../store/json/downgrade.ts'
import { readStore, storeCodec } from '../store/open-stores.ts'
import { openStoresAt, type StoreLocation } from '../store/location.ts'
import type { ServerOptions } from '../domain/server/server-options.ts'
import type { NodeState } from '../domain/server/node.ts'
import { mergedStates, type WebhookState } from '../domain/automation/webhook.ts'
import { systemClock } from '../platform/clock.ts'
import { silentLogger } from '../platform/logging/logger.ts'
import { createHiddenFiles, type HiddenFiles } from '../services/server/chores/hidden-files.ts'
import { type Bound, createShareTargets } from '../services/shares/share-records.ts'
import { StagedNames } from '../storage/reserved-names.ts'
import { storagePathOf } from '../storage/storage.ts'
import { soleDaemon } from '../store/sole-daemon.ts'
import type { Shared } from '../store/store.ts'
import { listNodes, skewOf } from '../services/server/nodes.ts'
import { protectedPathsOf } from '../context/protected-paths.ts'
import { openRoots } from '../context/open-roots.ts'
import { openServedFolder } from '../context/served-folder.ts'
import { keepForUploads, readStager, runsOf } from '../context/staging-run.ts'

/** The state of a store, read without a lock and without repairs. */
export interface StoreInspection {
  /** Undefined if it cannot be used. */
  readonly document: Readonly<StoreDocument> | undefined
  readonly problem: string | undefined
  readonly reason: 'missing' | 'unreadable' | 'damaged' | 'newer' | undefined
  /** Names of the valid copies beside it, newest first. */
  readonly copies: readonly string[]
  /** Names of damaged stores that were renamed, and of journals that were kept. */
  readonly corrupt: readonly string[]
  /** What is wrong with the journal beside it. */
  readonly journalProblem?: string | undefined
}

export async function inspectStore({ folder, url }: StoreLocation): Promise<StoreInspection> {
  if (url !== '') return { ...(await readDatabase({ folder, url })), copies: [], corrupt: [] }
  const names = (await readdir(folder).catch(() => [])).toSorted()
  const sound = await Promise.all(
    names.map(async (name) => /^store\.json\.\d$/.test(name) && (await isSound(folder, name))),
  )
  return {
    ...(await read(folder)),
    copies: names.filter((_, index) => sound[index]),
    corrupt: names.filter((name) => /^store\.(json\.corrupt|journal\.(corrupt|foreign))-/.test(name)),
  }
}

type Outcome = Pick<StoreInspection, 'document' | 'problem' | 'reason' | 'journalProblem'>

async function read(folder: string): Promise<Outcome> {
  const name = 'store.json'
  const none = { document: undefined }
  try {
    const { document, journalProblem } = await readStore(folder)
    if (document === null) return { ...none, problem: `there is no ${name} in ${folder}`, reason: 'missing' }
    return { document, problem: undefined, reason: undefined, journalProblem }
  } catch (error) {
    if (isFilemgrError(error, 'STORE_INVALID')) {
      const reason = error.details.reason === 'newer' ? 'newer' : 'damaged'
      const { message } = await withDowngradeHint(error, join(folder, name), isDecodable)
      return { ...none, problem: message, reason }
    }
    const { code } = error as NodeJS.ErrnoException
    return { ...none, problem: `${name} cannot be read (${code ?? 'unknown error'})`, reason: 'unreadable' }
  }
}

async function readDatabase(location: StoreLocation): Promise<Outcome> {
  try {
    await using stores = await openStoresAt(location, {})
    return { document: stores.store.snapshot(), problem: undefined, reason: undefined }
  } catch (error) {
    if (!isFilemgrError(error)) throw error
    const { reason } = error.details
    const known = reason === 'newer' || reason === 'damaged' ? reason : 'unreadable'
    return { document: undefined, problem: error.message, reason: error.code === 'NOT_FOUND' ? 'missing' : known }
  }
}

function isDecodable(bytes: Uint8Array): boolean {
  return problemIn(() => void storeCodec().decode(bytes), 'STORE_INVALID') === undefined
}

async function isSound(folder: string, name: string): Promise<boolean> {
  const bytes = await readFile(join(folder, name)).catch(() => undefined)
  return bytes !== undefined && isDecodable(bytes)
}

export interface HiddenSearch {
  readonly location: StoreLocation
  readonly options: ServerOptions
  readonly document: StoreDocument
  /** A daemon is running: files that it is staging are not reported. */
  readonly isRunning: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  readonly signal: AbortSignal
}

/** Finds hidden files in the served folder without changing anything. @throws NOT_FOUND if the folder does not exist */
export async function findHidden({
  location,
  options,
  document,
  isRunning,
  now,
  signal,
}: HiddenSearch): Promise<HiddenFiles> {
  const { folder, url } = location
  const protectedPaths = () =>
    protectedPathsOf({ dataFolder: folder, options, configFile: undefined, settings: document.settings })
  await using opened = new AsyncDisposableStack()
  const { uploadRecords, leases, messages } = await sharedAt(location, opened)
  const staged = new StagedNames(await readStager(folder, isRunning))
  keepForUploads(staged, uploadRecords)
  if (url !== '') staged.noteRuns(await runsOf(leases))
  const served = { protectedPaths, staged, clock: { now: () => now } }
  const { store, storage } = await rootsOf(document, options, served, opened)
  const hidden = createHiddenFiles({
    store,
    storage,
    options,
    leases,
    messages,
    clock: { now: () => now },
    log: silentLogger,
  })
  return await hidden.find(signal)
}

/** All served files by a store that nobody changes. @throws NOT_FOUND if the served folder does not exist */
async function rootsOf(
  document: Readonly<StoreDocument>,
  options: ServerOptions,
  served: Parameters<typeof openServedFolder>[1] & { readonly staged: StagedNames },
  opened: AsyncDisposableStack,
) {
  const store = { snapshot: () => document, onChange: () => () => undefined }
  const files = await openServedFolder(options.root, served)
  const { opened: storage, close } = openRoots({ store, options, files, served: async () => served, log: silentLogger })
  opened.use(close)
  return { store, storage }
}

/**
 * What the owners of links, or of what is shared inside, have at their paths, in the order of the records; "missing" without an
 * owner.
 *
 * @throws NOT_FOUND if the served folder does not exist
 */
export async function readTargets<Record extends Bound>(
  records: readonly Record[],
  ownerOf: (record: Record) => User | undefined,
  document: Readonly<StoreDocument>,
  options: ServerOptions,
): Promise<TargetState[]> {
  await using opened = new AsyncDisposableStack()
  const { store, storage } = await rootsOf(document, options, { staged: new StagedNames() }, opened)
  const roots = new RootIndex(store, options)
  const owners = new Map(records.flatMap((record) => ownerOf(record) ?? []).map((user) => [user.id, user]))
  const index = new GroupIndex(document.groups)
  const folderFor = (id: UserId, folder: VirtualPath) => {
    const owner = owners.get(id) ?? fail('NOT_FOUND', 'there is no such user')
    const places = new PlaceList(owner, index.of(owner), document.roots)
    return (places.at(folder) ?? places.all[0])?.folder ?? fail('NOT_FOUND', 'this account has no folder')
  }
  const ofScope = async (_id: UserId, folder: VirtualPath) => {
    const scope = await storage.openScope(storagePathOf(folder), roots.linksAt(folder))
    return { scope, [Symbol.dispose]: () => scope[Symbol.dispose]() }
  }
  return await createShareTargets({ access: { folderFor, ofScope } }).statesOf(records, ownerOf)
}

/** The state of each webhook that the daemons saved last, by webhook id. */
export async function readWebhookStates(location: StoreLocation): Promise<ReadonlyMap<string, WebhookState>> {
  await using opened = new AsyncDisposableStack()
  const { webhookStates } = await sharedAt(location, opened)
  return mergedStates(await webhookStates.others())
}

/** The daemons of a database, and how far the clock of this machine is ahead of it, in milliseconds. @throws STORE_BUSY */
export async function readNodes(location: StoreLocation): Promise<{ nodes: NodeState[]; skew: number }> {
  await using opened = new AsyncDisposableStack()
  const shared = await sharedAt(location, opened)
  return { nodes: await listNodes(shared), skew: await skewOf(shared.facts, systemClock) }
}

/** The records that daemons share in a database; without a database, those of the only daemon. */
async function sharedAt(location: StoreLocation, opened: AsyncDisposableStack): Promise<Shared> {
  const { shared } = location.url === '' ? {} : opened.use(await openStoresAt(location, {}))
  return shared ?? soleDaemon({ folder: location.folder, clock: systemClock, log: silentLogger })
}
