import { buffer as readAll } from 'node:stream/consumers'
import { dirname, isAbsolute, resolve } from 'node:path'
import { realpath, stat } from 'node:fs/promises'
import { fail } from '../domain/errors.ts'
import { combined } from './filebrowser/read-installation.ts'
import type { ImportReport } from './filebrowser/import-report.ts'
import { type OldInstallation, textOf } from './filebrowser/old-record.ts'
import { convertQuantum } from './quantum/convert-quantum.ts'
import { type ImportFacts, type ImportInput, planImport } from './filebrowser/plan-import.ts'
import { notingChanges } from '../services/server/audit/notes.ts'
import type { StoreDocument } from '../store/document.ts'
import { memoryStores } from '../store/open-stores.ts'
import { createStoreAt, openStoresAt, storeExistsAt, type StoreLocation } from '../store/location.ts'
import type { StoreLog } from '../store/store.ts'
import { type ImportSource, readImportSource, readPipedSource } from './import-source.ts'
import { findOutsideLinks, isBeneath } from '../platform/files/served-root.ts'
import { compilePattern } from '../platform/validation/pattern.ts'
import { systemClock } from '../platform/clock.ts'
import { unlessErrno } from '../store/disk/disk.ts'
import { defaultsOf } from '../domain/schema/schema-tools.ts'
import { ServerOptions } from '../domain/server/server-options.ts'
import { storeName } from '../domain/server/store-url.ts'
import { cleanVirtualPath } from '../domain/files/virtual-path.ts'
import { createShareTargets } from '../services/shares/share-records.ts'
import type { FindTarget, FoundTarget } from './filebrowser/import-shares.ts'
import { createContext } from '../context.ts'

export interface ImportRequest {
  /** A database, or exports, of one installation; "-" is standard input. */
  readonly files: readonly string[]
  readonly stdin: AsyncIterable<Uint8Array>
  /** The store to import into. */
  readonly location: StoreLocation
  readonly workingFolder: string
  /** The folder to serve instead of the installation's root. */
  readonly root?: string | undefined
  /** Only report what would be done. */
  readonly dryRun: boolean
  /** Add to existing accounts. */
  readonly merge: boolean
  readonly log: StoreLog
}

export interface ImportOutcome {
  readonly report: ImportReport
  /** The store has accounts, so the import requires `merge`. */
  readonly needsMerge: boolean
}

/**
 * Imports an installation of File Browser or FileBrowser Quantum into a store, in one atomic write.
 *
 * @throws INVALID_INPUT, NOT_FOUND, FORBIDDEN, TOO_LARGE for the files; CONFLICT when there are accounts and `merge` is not
 *         given; STORE_BUSY also when File Browser has the database open; STORE_INVALID, NO_SPACE
 */
export async function importInstallation(request: ImportRequest): Promise<ImportOutcome> {
  const { location, dryRun, merge, log } = request
  const sources: ImportSource[] = []
  for (const file of request.files) {
    if (file === '-') sources.push(await readPipedSource(await readAll(request.stdin), request.workingFolder))
    else sources.push(await readImportSource(resolve(request.workingFolder, file)))
  }
  const usedBy = sources.find((source) => source.usedBy !== undefined)?.usedBy
  if (usedBy !== undefined && !dryRun) {
    fail('STORE_BUSY', `File Browser (process ${usedBy}) has the database open; stop it, or import a copy of the file`)
  }
  const old = installationOf(sources, request)
  const facts = await inspectInstallation({ old, sources, workingFolder: request.workingFolder })
  const input = { ...facts, findTarget: await findShareTargets(facts) }
  const plan = (existing: Readonly<StoreDocument> | undefined) => planImport({ ...input, existing })

  if (!(await storeExistsAt(location))) {
    const { document, report } = plan(undefined)
    if (!dryRun) await createStoreAt(location, document, log)
    return { report, needsMerge: false }
  }
  await using stores = await openStoresAt(location, { log, repair: !dryRun })
  const hasAccounts = stores.store.snapshot().users.length > 0
  if (dryRun) return { report: plan(stores.store.snapshot()).report, needsMerge: hasAccounts && !merge }
  return await notingChanges(stores.store).update((draft) => {
    if (draft.users.length > 0 && !merge) {
      const advice = '--merge adds to them, --dry-run shows what that means'
      fail('CONFLICT', `the store in ${storeName(location)} has accounts already; ${advice}`)
    }
    const { document, report } = plan(draft)
    Object.assign(draft, document)
    return { report, needsMerge: false }
  })
}

/** @throws INVALID_INPUT if the files do not belong together, or one is missing */
function installationOf(sources: readonly ImportSource[], { root, workingFolder }: ImportRequest): OldInstallation {
  const given = root === undefined ? undefined : resolve(workingFolder, root)
  const ofFileBrowser = sources.filter((source) => source.kind === 'filebrowser')
  if (ofFileBrowser.length === sources.length) {
    const old = combined(ofFileBrowser.map(({ installation }) => installation))
    return given === undefined ? old : { ...old, server: { ...old.server, root: given } }
  }
  if (ofFileBrowser.length > 0)
    fail('INVALID_INPUT', 'name files of either File Browser or FileBrowser Quantum, not both')
  const [database, otherDatabase] = sources.filter((source) => source.kind === 'quantum database')
  const [config, otherConfig] = sources.filter((source) => source.kind === 'quantum config')
  if (database === undefined || config === undefined || otherDatabase !== undefined || otherConfig !== undefined) {
    const advice = 'filemgr import database.db config.yaml'
    fail(
      'INVALID_INPUT',
      `FileBrowser Quantum keeps its data in two files, its database and its configuration: ${advice}`,
    )
  }
  return convertQuantum({ database: database.database, config: config.config, root: given })
}

export interface InspectRequest {
  readonly old: OldInstallation
  readonly sources: readonly ImportSource[]
  readonly workingFolder: string
}

/** Collects the facts from the disk that an import plan needs. */
async function inspectInstallation({
  old,
  sources,
  workingFolder,
}: InspectRequest): Promise<Omit<ImportInput, 'existing'>> {
  const { server } = old
  const root = server === undefined ? undefined : textOf(server, 'root') || '.'
  const base = root === undefined ? workingFolder : await baseOf(root, sources, workingFolder)
  const absolute = (path: string) => resolve(base, path)
  return {
    old,
    absolute,
    facts: await factsOf(root === undefined ? undefined : absolute(root), sources),
    findTarget: () => undefined,
    compile: compilePattern,
    now: systemClock.now(),
  }
}

/** Guesses the working folder of the old daemon, where its relative root exists: most likely the folder of its database. */
async function baseOf(root: string, sources: readonly ImportSource[], workingFolder: string): Promise<string> {
  const beside = sources.find((source) => source.kind === 'filebrowser' && source.installation.server !== undefined)
  const likely = beside === undefined ? workingFolder : dirname(beside.path)
  const candidates = isAbsolute(root) ? [] : [likely, workingFolder]
  for (const candidate of candidates) if (await isFolder(resolve(candidate, root))) return candidate
  return likely
}

async function factsOf(root: string | undefined, sources: readonly ImportSource[]): Promise<ImportFacts> {
  const usedBy = sources.find((source) => source.usedBy !== undefined)?.usedBy
  const facts: ImportFacts = { outsideLinks: [], servedFiles: [], usedBy }
  if (root === undefined) return facts
  if (!(await isFolder(root))) {
    return {
      ...facts,
      rootProblem: `there is no folder ${root}: filemgr server set root=FOLDER, or import with --root FOLDER`,
    }
  }
  const realRoot = await realpath(root)
  const files = sources.filter(({ isPiped }) => isPiped !== true).map(({ path }) => path)
  const served = await Promise.all(files.map(async (path) => isBeneath(realRoot, await realpath(path))))
  const { links } = await findOutsideLinks(root)
  const servedFiles = files.filter((_, index) => served[index] === true)
  return { ...facts, outsideLinks: links, servedFiles }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await unlessErrno(stat(path), 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG')
  return found?.isDirectory() === true
}

/**
 * Finds the targets of old links as their owners will see them, in a temporary context with the imported data.
 */
async function findShareTargets(input: ImportInput): Promise<FindTarget> {
  const { document } = planImport(input)
  const { root } = document.server
  const found = new Map<string, FoundTarget>()
  if (root === undefined || input.facts.rootProblem !== undefined) return () => undefined
  await using context = await createContext({
    options: { ...defaultsOf(ServerOptions), ...document.server, root },
    stores: memoryStores(document),
  })
  const targets = createShareTargets(context.services)
  for (const { path, userID } of document.shares) {
    const owner = document.users.find(({ id }) => id === userID)
    const target = owner && (await targets.at(owner, cleanVirtualPath(path)))
    if (owner === undefined || target === undefined) continue
    using files = await context.services.access.ofScope(owner.id)
    const { isDir } = await files.scope.stat(cleanVirtualPath(path), { ...files.view('/'), sniff: false })
    found.set(keyOf(owner, path), { target, isDir })
  }
  return (owner, path) => found.get(keyOf(owner, path))
}

function keyOf({ scope }: { readonly scope: string }, path: string): string {
  return `${cleanVirtualPath(scope)}\0${cleanVirtualPath(path)}`
}
