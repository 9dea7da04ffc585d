import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'
import { findOutsideLinks, isBeneath } from '../platform/outside-links.ts'
import { compilePattern } from '../platform/pattern.ts'
import { systemClock } from '../platform/clock.ts'
import { textOf, type OldInstallation } from '../services/filebrowser/old-record.ts'
import type { ImportFacts, ImportInput } from '../services/filebrowser/plan-import.ts'
import { unlessErrno } from '../store/disk.ts'
import type { ImportSource } from './import-source.ts'

export interface GroundRequest {
  readonly old: OldInstallation
  readonly sources: readonly ImportSource[]
  readonly workingFolder: string
}

/** Looks at the disk that an old installation stood on: all that the plan of an import needs besides the store. */
export async function surveyGround({
  old,
  sources,
  workingFolder,
}: GroundRequest): Promise<Omit<ImportInput, 'existing'>> {
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

/** Where the old daemon was started: where its relative root is to be found, most likely beside its database. */
async function baseOf(root: string, sources: readonly ImportSource[], workingFolder: string): Promise<string> {
  const beside = sources.find(({ installation }) => installation.server !== undefined)
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
  const served = await Promise.all(sources.map(async ({ path }) => isBeneath(realRoot, await realpath(path))))
  const { links } = await findOutsideLinks(root)
  const servedFiles = sources.filter((_, index) => served[index] === true).map(({ path }) => path)
  return { ...facts, outsideLinks: links, servedFiles }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await unlessErrno(stat(path), 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG')
  return found?.isDirectory() === true
}
