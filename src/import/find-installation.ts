import { buffer as readAll } from 'node:stream/consumers'
import { dirname, isAbsolute, resolve } from 'node:path'
import { realpath, stat } from 'node:fs/promises'
import { createContext } from '../context.ts'
import { fail } from '../domain/errors.ts'
import { cleanVirtualPath } from '../domain/files/virtual-path.ts'
import { defaultsOf } from '../domain/schema/schema-tools.ts'
import { servedFolderOf } from '../domain/server/root.ts'
import { ServerOptions } from '../domain/server/server-options.ts'
import { findOutsideLinks, isBeneath } from '../platform/files/served-root.ts'
import { createShareTargets } from '../services/shares/share-records.ts'
import { unlessErrno } from '../platform/files/error-code.ts'
import { memoryStores } from '../store/open-stores.ts'
import type { FoundTarget } from './filebrowser/import-shares.ts'
import { type OldInstallation, textOf } from './filebrowser/old-record.ts'
import type { ImportFacts } from './filebrowser/plan-import.ts'
import { combined } from './filebrowser/read-installation.ts'
import { type FoundInstallation, planOf, targetKey } from './import-installation.ts'
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
  const facts = await factsOf(root === undefined ? undefined : resolve(base, root), sources)
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
  const targets = createShareTargets(context.services)
  for (const { path, userID } of document.shares) {
    const owner = document.users.find(({ id }) => id === userID)
    const target = owner && (await targets.at(owner, { scope: servedFolderOf(owner), path: cleanVirtualPath(path) }))
    if (owner === undefined || target === undefined) continue
    using files = await context.services.access.ofScope(owner.id)
    const { isDir } = await files.scope.stat(cleanVirtualPath(path), { ...files.view('/'), sniff: false })
    found.set(targetKey(owner, path), { target, isDir })
  }
  return [...found]
}
