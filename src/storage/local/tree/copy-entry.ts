import type { BigIntStats } from 'node:fs'
import { throwIfCancelled } from '../../../domain/errors.ts'
import type { Work } from '../../storage.ts'
import { leadsInside } from '../scope/destination.ts'
import type { MoveClaim } from '../scope/effects.ts'
import { isReservedName, type IsLiving } from '../../reserved-names.ts'
import type { ScopeRoot } from '../scope/scope-root.ts'
import {
  type Attribute,
  attributePath,
  folderAttributePath,
  readAttributes,
  readFolderAttributes,
} from '../system/attributes.ts'
import { copyAttributes, isKept, moveToFile, moveToFolder, moveToLink, replaceFile } from '../system/carried-over.ts'
import { statsOf, syncFolder } from '../system/disk.ts'
import { close, fdatasync, fsync, readlink } from '../system/gated-calls.ts'
import { at, bytesOf, type Handle, hold, HOLD_ENTRY, type Location, type Name, textOf } from '../system/handle.ts'
import {
  createFile,
  createFolder,
  createLink,
  createPrivateFile,
  createPrivateFolder,
  closeFile,
  closeFolder,
  mayStayAsCreated,
  modeOfCopy,
  modeOfFolderCopy,
  stayAsCreated,
} from '../system/new-entry.ts'
import { copyContent } from './copy-content.ts'
import { Cursor, type Entry, type Visitor, walk, type WalkOptions } from './walk.ts'
import { unlessErrno } from '../../../platform/files/error-code.ts'

/** Files copied and synced in parallel. Each uses up to five descriptors. */
export const MAX_LANES = 8

export type Copying = CopyingToStay | CopyingToMove

interface CopyingSomething {
  readonly scopeRoot: ScopeRoot
  /** Where the target is. */
  readonly into: ScopeRoot
  readonly work: Work
}

interface CopyingToStay extends CopyingSomething {
  readonly folderMode: number
  /** The file that a copied file replaces. The copy gets its owner and mode then. */
  readonly replaced?: { readonly location: Location; readonly stats: BigIntStats } | undefined
  readonly copied?: undefined
}

/**
 * The copy has everything that the original has, also its times, and includes entries with reserved names, except those of running
 * operations.
 */
export interface CopyingToMove extends CopyingSomething {
  /** Records what was copied. */
  readonly copied: Copied
}

/** Whatever an operation is still writing belongs to that operation alone: carried off, it would be lost to it. */
export function walkOptionsOf({ work, copied }: Copying): WalkOptions {
  const ignores = (entry: Entry) => (copied === undefined ? isReservedName(entry.text) : copied.isInUse(entry))
  return { work, ignores }
}

/** An open entry to copy. A link is read through its location. */
export interface Original {
  readonly handle: Handle
  readonly stats: BigIntStats
  readonly location: Location
  /** Path from the top, for reports; "" for the top itself. */
  readonly path: string
}

/**
 * Copies an entry to a free name, and resolves when the copy is safe from a power failure. Skips special files,
 * and links that do not lead inside from both the old and the new location. If it fails, the caller removes the partial copy.
 *
 * @returns false if the entry was skipped
 */
export async function copyEntry(copying: Copying, from: Original, to: Location): Promise<boolean> {
  throwIfCancelled(copying.work.signal)
  if (isLeftOut(copying, from.location, from)) return false
  if (from.stats.isDirectory()) await copyFolder(copying, from, to)
  else if (from.stats.isFile()) await copyFile(copying, from, to)
  else return await copyLink(copying, from, to)
  return true
}

/** The daemon's own files are not copied together with their folder. */
function isLeftOut(
  { scopeRoot, work }: Copying,
  { folder, name }: Location,
  { stats, path }: Pick<Original, 'stats' | 'path'>,
): boolean {
  if (!scopeRoot.protectedPaths.hasName(folder, name, stats)) return false
  work.leftOut?.(path, 'changed')
  return true
}

/** Opens an entry without following links: if it was swapped for a link meanwhile, the link is copied. */
export async function holdOriginal(location: Location, path = ''): Promise<Original & Disposable> {
  using handle = await hold(at(location.folder, location.name), HOLD_ENTRY)
  const stats = await statsOf(handle)
  const held = handle.retain()
  return { handle: held, stats, location, path, [Symbol.dispose]: () => held[Symbol.dispose]() }
}

/** Undefined if the entry no longer exists. */
export async function holdIfThere({ folder, name, path }: Entry): Promise<(Original & Disposable) | undefined> {
  return await unlessErrno(holdOriginal({ folder, name }, path), 'ENOENT')
}

async function copyFolder(copying: Copying, original: Original, to: Location): Promise<void> {
  const { handle, path } = original
  using target = new Cursor(to.folder)
  await using lanes = new Lanes(MAX_LANES)
  const copy = new FolderCopy(copying, lanes, target)
  await copy.begin(to.name, original.stats, nameOf(original), await readAttributes(folderAttributePath(handle), isKept))
  const prefix = path === '' ? '' : `${path}/`
  await walk(handle, copy, { ...walkOptionsOf(copying), prefix })
  await copy.leave()
  await lanes.whenDone()
  throwIfCancelled(copying.work.signal)
}

/** A new folder, which gets what it keeps of its original and is synced once its content is complete. */
interface Made {
  readonly stats: BigIntStats
  /** Of the original, for reports. */
  readonly path: string
  readonly attributes: readonly Attribute[]
  /** Number of running tasks, plus one for the walk. */
  open: number
}

class FolderCopy implements Visitor {
  readonly #copying: Copying
  readonly #lanes: Lanes
  readonly #target: Cursor
  readonly #made: Made[] = []

  constructor(copying: Copying, lanes: Lanes, target: Cursor) {
    this.#copying = copying
    this.#lanes = lanes
    this.#target = target
  }

  async begin(name: Name, stats: BigIntStats, path: string, attributes: readonly Attribute[]): Promise<void> {
    this.#copying.work.admitFolder?.(1)
    const to = { folder: this.#target.here, name }
    const copying = this.#copying
    if (copying.copied !== undefined) await createPrivateFolder(to)
    else (await createFolder(to, modeOfFolderCopy(stats, copying.folderMode)))[Symbol.dispose]()
    await this.#target.down(name)
    this.#made.push({ stats, path, attributes, open: 1 })
    this.#copying.copied?.add(stats, name)
  }

  async file(entry: Entry): Promise<void> {
    const made = this.#made.at(-1)
    if (made !== undefined) made.open += 1
    await this.#run(
      made,
      async (folder) => {
        using original = await holdIfThere(entry)
        if (original !== undefined) await copyEntry(this.#copying, original, { folder, name: entry.name })
      },
      entry.folder,
    )
  }

  async enter(entry: Entry): Promise<boolean> {
    const { name, stats, path } = entry
    if (isLeftOut(this.#copying, entry, entry)) return false
    await this.begin(name, stats, path, await readFolderAttributes(entry, isKept))
    return true
  }

  async leave(): Promise<void> {
    await this.#run(this.#made.pop(), async () => undefined)
    await this.#target.up()
  }

  /** @param from stays open until the task has ended */
  async #run(made: Made | undefined, task: (folder: Handle) => Promise<void>, from?: Handle): Promise<void> {
    await this.#lanes.add(async () => {
      using _from = from?.retain()
      using folder = this.#target.here.retain()
      await task(folder)
      if (made !== undefined && (made.open -= 1) === 0) await this.#finish(folder, made)
    })
  }

  async #finish(folder: Handle, { stats, path, attributes }: Made): Promise<void> {
    const lost = this.#copying.copied
      ? await moveToFolder(folder, { stats, attributes })
      : await copyAttributes(folderAttributePath(folder), folder, attributes)
    if (!this.#copying.copied) await closeFolder(folder, stats)
    reportLost(this.#copying, path, lost)
    await syncFolder(folder)
  }
}

async function copyFile(copying: Copying, original: Original, to: Location): Promise<void> {
  const { work, copied } = copying
  const { handle, stats, location } = original
  work.admit?.(Number(stats.size))
  const made = copying.copied ? undefined : await createFile(to, modeOfCopy(stats))
  const fd = made?.fd ?? (await createPrivateFile(to))
  try {
    await copyContent(handle, stats, fd, work, made !== undefined && !mayStayAsCreated(made, stats))
    if (made !== undefined) await stayAsCreated(made, stats)
    const attributes = await readAttributes(attributePath(location), isKept)
    const lost = copying.copied
      ? await moveToFile(fd, to, { stats, attributes })
      : await finishCopy(copying, fd, to, { stats, attributes })
    reportLost(copying, nameOf(original), lost)
    await (attributes.length > 0 ? fsync : fdatasync)(fd)
  } finally {
    await close(fd)
  }
  copied?.add(stats, location.name)
  work.advance?.(0, 1)
}

async function finishCopy(
  { replaced }: CopyingToStay,
  fd: number,
  to: Location,
  { stats, attributes }: Pick<Made, 'stats' | 'attributes'>,
): Promise<string[]> {
  if (replaced !== undefined) return await replaceFile(fd, to, replaced.location, replaced.stats, attributes)
  const lost = await copyAttributes(attributePath(to), to.folder, attributes)
  await closeFile(fd, stats)
  return lost
}

function reportLost({ work }: Copying, path: string, lost: readonly string[]): void {
  if (lost.length > 0) work.leftOut?.(`${path} (${lost.toSorted().join(', ')})`, 'attributes')
}

function nameOf({ path, location }: Original): string {
  return path === '' ? textOf(location.name) : path
}

/**
 * Reads the link once, then checks and writes that text. If it checked the link and then read it, an attacker could swap the link
 * in between, and the copy would lead out.
 */
async function copyLink(
  { scopeRoot, into, work, copied }: Copying,
  original: Original,
  to: Location,
): Promise<boolean> {
  const { location, stats } = original
  const text = stats.isSymbolicLink()
    ? await readlink(at(location.folder, location.name), { encoding: 'buffer' })
    : undefined
  const staysInside = async (root: ScopeRoot, { folder }: Location) =>
    text !== undefined && (await leadsInside(root, folder, text))
  if (text === undefined || !(await staysInside(scopeRoot, location)) || !(await staysInside(into, to))) {
    work.leftOut?.(nameOf(original), 'changed')
    return false
  }
  work.admit?.(Number(stats.size))
  await createLink(to, text)
  if (copied) await moveToLink(to, stats)
  copied?.add(stats, location.name)
  work.advance?.(0, 1)
  return true
}

/** Records the state of each entry before it was copied: only unchanged entries may be removed at the source. */
export class Copied {
  readonly #isLiving: IsLiving
  readonly #claim: MoveClaim
  readonly #keys = new Set<string>()

  constructor(isLiving: IsLiving, claim: MoveClaim) {
    this.#isLiving = isLiving
    this.#claim = claim
  }

  /** True for what another operation is writing, or moves by copying too: it would be there twice. */
  isInUse(entry: Entry): Promise<boolean> | boolean {
    return this.#isLiving(entry.text, Number(entry.stats.ctimeMs)) || this.#claim.isMovedByOthers(entry)
  }

  add(stats: BigIntStats, name: Name): void {
    this.#keys.add(keyOf(stats, name))
  }

  has(stats: BigIntStats, name: Name): boolean {
    return this.#keys.has(keyOf(stats, name))
  }
}

/**
 * Short, because there may be a million keys. Omits time and size of folders, which change when their entries are removed.
 * Includes the name of files: a staged file may be copied under its hidden name and then be renamed to its final name, under
 * which it was not copied.
 */
function keyOf(stats: BigIntStats, name: Name): string {
  const { dev, ino, size, mtimeNs } = stats
  const parts = stats.isDirectory() ? [dev, ino] : [dev, ino, size, mtimeNs]
  const key = parts.map((part) => part.toString(36)).join(' ')
  return stats.isDirectory() ? key : `${key} ${bytesOf(name).toString('latin1')}`
}

/** Runs a limited number of tasks in parallel, because a copy mostly waits for the disk. */
export class Lanes implements AsyncDisposable {
  readonly #max: number
  readonly #running = new Set<Promise<void>>()
  #failure: { readonly error: unknown } | undefined

  constructor(max: number) {
    this.#max = max
  }

  /** Starts a task as soon as there is room. @throws the error of an earlier task */
  async add(task: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#max) await Promise.race(this.#running)
    this.#requireSuccess()
    const run = task()
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => this.#running.delete(run))
    this.#running.add(run)
  }

  /** Waits for all tasks. @throws the first error of a task */
  async whenDone(): Promise<void> {
    await Promise.all(this.#running)
    this.#requireSuccess()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running)
  }

  #requireSuccess(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
