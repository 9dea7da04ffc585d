import { Readable } from 'node:stream'
import { fail, isFilemgrError, throwIfCancelled, unlessFails } from '../domain/errors.ts'
import { isSameEntry } from '../domain/files/entry-identity.ts'
import type { FlatResource } from '../domain/files/resource.ts'
import { below, isInside, nameOf, parentOf, relativeTo, ROOT, type VirtualPath } from '../domain/files/virtual-path.ts'
import type { OpenFile, RemovableFile } from './open-file.ts'
import type { ListingView, Scope, StagedFolder, TransferMode, Work } from './storage.ts'

/** A path, and where it leads to in another storage. */
export interface Across {
  readonly source: Scope
  readonly from: VirtualPath
  readonly into: Scope
  readonly to: VirtualPath
}

/** What is at the source, as it was copied. */
interface Copied {
  readonly files: readonly (RemovableFile & { readonly path: VirtualPath })[]
  /** From the outside in. */
  readonly folders: readonly VirtualPath[]
}

/** Nanoseconds by which a time that is set may become later: see `settableTime` of the local disk. */
const ROUNDED = 2000n

/** The services have judged all of it before. */
const EVERYTHING: ListingView = {
  rules: [],
  rulePrefix: ROOT,
  hideDotfiles: false,
  sorting: { by: 'name', asc: true },
  shownPath: '/',
  sniff: false,
  canModify: false,
}

/** Lets a scope refuse what another one changes in it. */
export function judgedBy<W extends Pick<Work, 'accept'>>(into: Scope | undefined, work: W): W {
  const { requireWritable } = into ?? {}
  if (requireWritable === undefined) return work
  return {
    ...work,
    accept() {
      requireWritable()
      work.accept?.()
    },
  }
}

/** Copies what is read in one storage to another. A folder appears at once, and if it fails, nothing remains. */
export async function copyAcross(ends: Across, mode: TransferMode, work: Work): Promise<void> {
  await new Transfer(ends, mode, work, false).copy()
}

/**
 * Copies, and then removes each file that has not changed since and whose copy is complete. What cannot be copied, such as links,
 * stays, and so do the folders around it.
 */
export async function moveAcross(ends: Across, mode: TransferMode, work: Work): Promise<void> {
  await new Transfer(ends, mode, work, true).move()
}

class Transfer {
  readonly #ends: Across
  readonly #mode: TransferMode
  readonly #work: Work
  /** A move keeps the times. */
  readonly #isMove: boolean
  readonly #leftOut: VirtualPath[] = []

  constructor(ends: Across, mode: TransferMode, work: Work, isMove: boolean) {
    this.#ends = ends
    this.#mode = mode
    this.#work = work
    this.#isMove = isMove
  }

  async copy(): Promise<Copied> {
    const { source, from, into, to } = this.#ends
    if (to === ROOT) fail('FORBIDDEN', 'the root folder cannot be replaced')
    const earlier = await this.#copiedEarlier()
    if (earlier !== undefined) return earlier
    const { isDir } = await source.stat(from, EVERYTHING)
    if (!this.#mode.replace && (await into.exists(to))) fail('CONFLICT', 'something with this name is already there')
    return isDir ? await this.#copyFolder() : await this.#copyFile()
  }

  async move(): Promise<void> {
    const { source, from } = this.#ends
    if (from === ROOT) fail('FORBIDDEN', 'the root folder cannot be moved or removed')
    if ((await source.kindOf(from)) === 'link') fail('FORBIDDEN', 'a symbolic link cannot be moved to another root')
    const copied = await this.copy()
    // All of it is there: if this ends now, the next run goes on with the removal.
    await this.#work.placing?.(undefined)
    for (const file of copied.files) await this.#removeFile(file)
    for (const folder of copied.folders.toReversed()) await this.#removeFolder(folder)
  }

  async #copyFile(): Promise<Copied> {
    const { source, from, into, to } = this.#ends
    await using file = await source.open(from)
    const { placing, admitFolder, admit, accept } = this.#work
    let admitted: number | undefined
    await into.write(to, bodyOf(file), {
      ...this.#modeOf(file),
      replace: this.#mode.replace,
      placing,
      admitFolder,
      accept(current) {
        accept?.()
        // First, before anything is read.
        if (admitted === undefined) admit?.(file.size, current?.size)
        else if ((current?.size ?? 0) < admitted)
          fail('CONFLICT', 'a file that is replaced was changed meanwhile; try again', { reason: 'changed' })
        admitted ??= current?.size ?? 0
      },
    })
    this.#work.advance?.(0, 1)
    return { files: [seenOf(file, from)], folders: [] }
  }

  async #copyFolder(): Promise<Copied> {
    const { source, from, into, to } = this.#ends
    const { signal, accept, admitFolder, staging, leftOut, placing } = this.#work
    const { folderMode, length, replace } = this.#mode
    const around = parentOf(to)
    if (around !== ROOT) await into.makeFolder(around, folderMode, { accept, admitFolder })
    const present = await into.kindOf(to)
    const isMerged = present === 'folder'
    if (present !== undefined && !isMerged)
      fail('CONFLICT', 'a file is in the way of the folder', { reason: 'fileInWay' })
    await using staged = await into.stageFolder(around, { length }, { signal })
    await staging?.(staged.name)
    const files: Copied['files'][number][] = []
    const folders: { readonly path: VirtualPath; readonly modified: string }[] = []
    const stagedAt = (path: VirtualPath) => below(`/${nameOf(to)}` as VirtualPath, relativeTo(from, path))
    const makeFolder = async (path: VirtualPath, modified: string) => {
      throwIfCancelled(signal)
      accept?.()
      if (!isMerged || !(await into.exists(this.#copyOf(path)))) admitFolder?.(1)
      await staged.makeFolder(stagedAt(path), folderMode)
      folders.push({ path, modified })
    }
    await makeFolder(from, (await source.stat(from, EVERYTHING)).modified)
    for await (const batch of source.walk(from, EVERYTHING, signal)) {
      for (const entry of batch) {
        const path = entry.path as VirtualPath
        if (entry.isDir) await makeFolder(path, entry.modified)
        else {
          const copied = await this.#stageFile(staged, stagedAt(path), entry, isMerged)
          if (copied !== undefined) files.push(copied)
        }
      }
    }
    if (this.#isMove) {
      for (const { path, modified } of folders.toReversed()) {
        const time = Date.parse(modified)
        if (!Number.isNaN(time)) await staged.setFolderTime(stagedAt(path), BigInt(time) * 1_000_000n)
      }
    }
    const name = nameOf(to)
    await staged.place(
      [{ from: name, to: name }],
      { replace },
      { signal, accept, leftOut, placing: async ([entry]) => await placing?.(isMerged ? undefined : entry) },
    )
    return { files, folders: folders.map(({ path }) => path) }
  }

  /** @returns undefined if it is left out, or was removed meanwhile */
  async #stageFile(
    staged: StagedFolder,
    to: VirtualPath,
    { path: text }: FlatResource,
    isMerged: boolean,
  ): Promise<Copied['files'][number] | undefined> {
    const path = text as VirtualPath
    const { source, into } = this.#ends
    const { accept, admit, advance } = this.#work
    const kind = await source.kindOf(path)
    if (kind === undefined) return undefined
    if (kind !== 'file') {
      this.#leaveOut(path, 'changed')
      return undefined
    }
    await using file = await unlessFails(source.open(path), 'NOT_FOUND')
    if (file === undefined) return undefined
    const old = isMerged ? await unlessFails(into.stat(this.#copyOf(path), EVERYTHING), 'NOT_FOUND') : undefined
    accept?.()
    admit?.(file.size, old?.isDir === false ? old.size : undefined)
    await staged.write(to, bodyOf(file), { ...this.#modeOf(file), replace: false })
    advance?.(0, 1)
    return seenOf(file, path)
  }

  #modeOf({ size, modified }: OpenFile) {
    const { folderMode } = this.#mode
    const { signal, advance } = this.#work
    let before = 0
    const admit = async (bytes: number) => {
      advance?.(bytes - before, 0)
      before = bytes
    }
    // Without what only lets one enter a folder: a bucket has no modes.
    return { fileMode: folderMode & 0o666, folderMode, length: size, signal, admit, ...(this.#isMove && { modified }) }
  }

  /** What an earlier run has copied, if it got that far. What it was placing when it ended is taken back otherwise. */
  async #copiedEarlier(): Promise<Copied | undefined> {
    const { source, from, into, to } = this.#ends
    const { earlier } = this.#mode
    if (earlier === undefined) return undefined
    const { staged, placed } = earlier
    const { leftOut } = this.#work
    if (staged !== undefined) await unlessFails(into.unstage(parentOf(to), staged, { leftOut }), 'NOT_FOUND')
    if (!(await into.exists(to))) return undefined
    const found = placed && (await into.entryAt(to))
    const isPlaced = placed !== undefined && found !== undefined && isSameEntry(found, placed)
    if (isPlaced && !this.#isMove) return { files: [], folders: [] }
    if ((await source.kindOf(from)) !== 'folder') {
      const file = await this.#ifCopied(from, earlier.since)
      return file && { files: [file], folders: [] }
    }
    const files: Copied['files'][number][] = []
    const folders = [from]
    for await (const batch of source.walk(from, EVERYTHING, this.#work.signal)) {
      for (const entry of batch) {
        const path = entry.path as VirtualPath
        const file = entry.isDir ? undefined : await this.#ifCopied(path, earlier.since)
        if (entry.isDir) folders.push(path)
        else if (file !== undefined) files.push(file)
        // Of a complete copy, this one has changed since, or could not be copied.
        else if (isPlaced) this.#leaveOut(path, 'changed')
        else return undefined
      }
    }
    return { files, folders }
  }

  /** The file at the source, if its copy is there and complete. @param since when the transfer began, in milliseconds */
  async #ifCopied(path: VirtualPath, since: number): Promise<Copied['files'][number] | undefined> {
    const { source, into } = this.#ends
    if ((await source.kindOf(path)) !== 'file') return undefined
    await using file = await unlessFails(source.open(path), 'NOT_FOUND')
    await using copy = await unlessFails(into.open(this.#copyOf(path)), 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN')
    if (file === undefined || copy?.size !== file.size) return undefined
    const later = copy.modified - (this.#isMove ? file.modified : BigInt(since) * 1_000_000n)
    const isOurs = later >= 0n && (!this.#isMove || later < ROUNDED)
    return isOurs ? seenOf(file, path) : undefined
  }

  async #removeFile({ path, ...seen }: Copied['files'][number]): Promise<void> {
    const { source, into } = this.#ends
    const copy = await unlessFails(into.stat(this.#copyOf(path), EVERYTHING), 'NOT_FOUND', 'INVALID_INPUT')
    if (copy?.isDir !== false || copy.size !== seen.size) {
      this.#leaveOut(path, 'copyGone')
      return
    }
    const accept = (current: RemovableFile) => {
      this.#work.accept?.()
      if (!isSameContent(current, seen)) fail('CONFLICT', 'the file was changed meanwhile', { reason: 'changed' })
    }
    try {
      await source.removeFile(path, accept)
    } catch (error) {
      // Others were faster.
      if (isFilemgrError(error, 'NOT_FOUND')) return
      if (!isFilemgrError(error, 'CONFLICT')) throw error
      this.#leaveOut(path, 'changed')
    }
  }

  async #removeFolder(path: VirtualPath): Promise<void> {
    const accept = () => this.#work.accept?.()
    const isGone = await unlessFails(this.#ends.source.removeEmpty(path, accept), 'NOT_FOUND')
    if (isGone === false && !this.#leftOut.some((each) => isInside(path, each))) this.#leaveOut(path, 'changed')
  }

  #copyOf(path: VirtualPath): VirtualPath {
    return below(this.#ends.to, relativeTo(this.#ends.from, path))
  }

  #leaveOut(path: VirtualPath, reason: 'changed' | 'copyGone'): void {
    this.#leftOut.push(path)
    this.#work.leftOut?.(relativeTo(this.#ends.from, path).slice(1) || nameOf(path), reason)
  }
}

function bodyOf(file: OpenFile): Readable {
  return file.size === 0 ? Readable.from([]) : file.stream(0, file.size - 1)
}

function seenOf({ size, modified, inode, changed }: OpenFile, path: VirtualPath): Copied['files'][number] {
  return { path, size, modified, inode, changed }
}

function isSameContent(one: RemovableFile, other: RemovableFile): boolean {
  return (
    one.size === other.size &&
    one.modified === other.modified &&
    one.inode === other.inode &&
    one.changed === other.changed
  )
}
