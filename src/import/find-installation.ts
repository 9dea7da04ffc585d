import { buffer as readAll } from 'node:stream/consumers'
import { dirname, isAbsolute, resolve } from 'node:path'
import { realpath, stat } from 'node:fs/promises'
import { type Context, createContext } from '../context.ts'
import { fail, unlessFails } from '../domain/errors.ts'
import { cleanVirtualPath, ROOT, type VirtualPath } from '../domain/files/virtual-path.ts'
import { defaultsOf } from '../domain/schema/schema-tools.ts'
import { ServerOptions } from '../domain/server/server-options.ts'
import { findOutsideLinks, isBeneath } from '../platform/files/served-root.ts'
import { DEFAULT_SORTING } from '../domain/files/sorting.ts'
import { EVERYTHING } from '../services/access/file-checks.ts'
import { storagePathOf } from '../storage/storage.ts'
import { unlessErrno } from '../platform/files/error-code.ts'
import { memoryStores } from '../store/open-stores.ts'
import type { FoundTarget } from './filebrowser/import-shares.ts'
import { type OldInstallation, textOf } from './filebrowser/old-record.ts'
import type { ImportFacts } from './filebrowser/plan-import.ts'
import { combined } from './filebrowser/read-installation.ts'
import { type FoundInstallation, planOf } from './import-installation.ts'
import { type ImportSource, readImportSource, readPipedSource } from './import-source.ts'
import { convertQuantum } from './quantum/convert-quantum.ts'

export interface FindRequest {
  /** A database, or exports, of one installation; "-" is standard input. */
  readonly files: readonly string[]
  readonly stdin: AsyncIterable<Uint8Array>
  readonly workingFolder: string
  /** The folder to serve instead of the installation's root. */
  readonly root?: string | undefined
  /** Also reads a database that its program has open. */
  readonly dryRun: boolean
}

/**
 * Reads an installation of File Browser or FileBrowser Quantum, and what an import must know of the disk, as the account that
 * asks for the import.
 *
 * @throws INVALID_INPUT, NOT_FOUND, FORBIDDEN, TOO_LARGE for the files; STORE_BUSY when File Browser has the database open
 */
export async function findInstallation(request: FindRequest): Promise<FoundInstallation> {
  const { workingFolder, dryRun } = request
  const sources: ImportSource[] = []
  for (const file of request.files) {
    if (file === '-') sources.push(await readPipedSource(await readAll(request.stdin), workingFolder))
    else sources.push(await readImportSource(resolve(workingFolder, file)))
  }
  const usedBy = sources.find((source) => source.usedBy !== undefined)?.usedBy
  if (usedBy !== undefined && !dryRun) {
    fail('STORE_BUSY', `File Browser (process ${usedBy}) has the database open; stop it, or import a copy of the file`)
  }
  const old = installationOf(sources, request)
  const root = old.server === undefined ? undefined : textOf(old.server, 'root') || '.'
  const base = root === undefined ? workingFolder : await baseOf(root, sources, workingFolder)
  const locations = (old.roots ?? []).map(({ location }) => location)
  const facts = await factsOf(root === undefined ? undefined : resolve(base, root), locations, sources)
  const found = { old, base, facts, targets: [] }
  return { ...found, targets: await findShareTargets(found) }
}

/** @throws INVALID_INPUT if the files do not belong together, or one is missing */
function installationOf(sources: readonly ImportSource[], { root, workingFolder }: FindRequest): OldInstallation {
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

/** Guesses the working folder of the old daemon, where its relative root exists: most likely the folder of its database. */
async function baseOf(root: string, sources: readonly ImportSource[], workingFolder: string): Promise<string> {
  const beside = sources.find((source) => source.kind === 'filebrowser' && source.installation.server !== undefined)
  const likely = beside === undefined ? workingFolder : dirname(beside.path)
  const candidates = isAbsolute(root) ? [] : [likely, workingFolder]
  for (const candidate of candidates) if (await isFolder(resolve(candidate, root))) return candidate
  return likely
}

async function factsOf(
  root: string | undefined,
  locations: readonly string[],
  sources: readonly ImportSource[],
): Promise<ImportFacts> {
  const usedBy = sources.find((source) => source.usedBy !== undefined)?.usedBy
  const facts: ImportFacts = { outsideLinks: [], servedFiles: [], usedBy }
  if (root === undefined) return facts
  const others = locations.filter((location) => location !== root)
  const missingRoots: string[] = []
  for (const location of others) if (!(await isFolder(location))) missingRoots.push(location)
  if (!(await isFolder(root))) {
    return {
      ...facts,
      missingRoots,
      rootProblem: `there is no folder ${root}: filemgr server set root=FOLDER, or import with --root FOLDER`,
    }
  }
  const files = sources.filter(({ isPiped }) => isPiped !== true).map(({ path }) => path)
  const [servedFiles, outsideLinks] = [new Set<string>(), [] as string[]]
  for (const folder of [root, ...others.filter((location) => !missingRoots.includes(location))]) {
    const real = await realpath(folder)
    for (const path of files) if (isBeneath(real, await realpath(path))) servedFiles.add(path)
    outsideLinks.push(...(await findOutsideLinks(folder)).links)
  }
  return { ...facts, missingRoots, outsideLinks, servedFiles: [...servedFiles] }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await unlessErrno(stat(path), 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG')
  return found?.isDirectory() === true
}

/** Finds the targets of old links as their owners will see them, in a temporary context with the imported data. */
async function findShareTargets(installation: FoundInstallation): Promise<FoundInstallation['targets']> {
  const { document } = planOf(installation, undefined)
  const { root } = document.server
  const found = new Map<string, FoundTarget>()
  if (root === undefined || installation.facts.rootProblem !== undefined) return []
  await using context = await createContext({
    options: { ...defaultsOf(ServerOptions), ...document.server, root },
    stores: memoryStores(document),
  })
  for (const { hash, scope: folder, path } of document.shares) {
    const looking = targetAt(context, folder, cleanVirtualPath(path))
    const target = await unlessFails(looking)
    if (target !== undefined) found.set(hash, target)
  }
  return [...found]
}

/** @param folder the served folder in which the path begins. @throws NOT_FOUND, UNAVAILABLE */
async function targetAt({ storage, options }: Context, folder: VirtualPath, path: VirtualPath): Promise<FoundTarget> {
  using scope = await storage.openScope(storagePathOf(folder), options.followExternalSymlinks ? 'follow' : 'inside')
  const target = await scope.identify(path)
  const { isDir } = await scope.stat(path, {
    ...EVERYTHING,
    sorting: DEFAULT_SORTING,
    shownPath: ROOT,
    canModify: false,
    sniff: false,
  })
  return { target, isDir }
}
