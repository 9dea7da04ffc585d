import { rename, rmdir } from 'node:fs/promises'
import type { BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import type { TransferMode, Work } from '../../storage.ts'
import { statsOrNothing } from '../entry-stats.ts'
import type { Ground } from '../ground.ts'
import { errorWord } from '../os-error.ts'
import { at, type Pin } from '../pin.ts'
import { pinFolder, Place, requireNoWayOut } from '../resolve.ts'
import { syncFolder } from '../staged-file.ts'
import { childrenOf } from './children.ts'
import { holdOriginal, type Original } from './copy-entry.ts'
import { copyIntoPlace } from './copy-tree.ts'
import { requireGoOn } from './go-on.ts'
import type { Location } from './location.ts'
import { placeFile, placeFolder, placeOver } from './place-entry.ts'
import { removeTree } from './remove-tree.ts'
import { requireMergeable, requireSameKind } from './same-kind.ts'
import { pinTargetFolder } from './target-folder.ts'

/** Holds the folder that shall get the entry; the entry is given when it is a folder, which must not get itself. */
export type FindTarget = (source: Pin | undefined) => Promise<Place>

/** A name beneath the ground, with missing parents made. */
export function targetAt(ground: Ground, segments: readonly string[], { folderMode }: TransferMode): FindTarget {
  const name = segments.at(-1)
  if (name === undefined) fail('FORBIDDEN', 'the root folder cannot be replaced')
  return async (source) => new Place(await pinTargetFolder(ground, segments.slice(0, -1), folderMode, source), name)
}

/** The entry of this name, which may be a link. */
export async function sourceAt(ground: Ground, segments: readonly string[]): Promise<Place> {
  const name = segments.at(-1)
  if (name === undefined) fail('FORBIDDEN', 'the root folder cannot be moved or removed')
  return new Place(await pinFolder(ground, segments.slice(0, -1)), name)
}

/**
 * One rename, of the link itself where the name is one.
 *
 * @returns false when one rename cannot do it: another disk, or folders to merge. Nothing was moved then.
 */
export async function renameEntry(
  ground: Ground,
  from: Location,
  findTarget: FindTarget,
  mode: TransferMode,
): Promise<boolean> {
  using ends = await moveEnds(ground, from, findTarget, mode)
  const { source, to, old } = ends
  const isFolder = source.stats.isDirectory()
  try {
    if (old === undefined) await (isFolder ? placeFolder : placeFile)(from, to)
    else await placeOver(from, to)
  } catch (error) {
    const word = errorWord(error)
    const isMerge = isFolder && old !== undefined && (word === 'ENOTEMPTY' || word === 'EEXIST')
    if (word === 'EXDEV' || isMerge) return false
    throw error
  }
  await syncFolder(to.folder)
  await syncFolder(from.folder)
  return true
}

/** What one rename cannot do: copies to another disk and removes what was copied, and merges folders. */
export async function moveTree(
  ground: Ground,
  from: Location,
  findTarget: FindTarget,
  mode: TransferMode,
  work: Work,
): Promise<void> {
  using ends = await moveEnds(ground, from, findTarget, mode)
  if (ends.source.stats.isDirectory() && ends.old !== undefined) {
    using met = await holdOriginal(ends.to)
    await requireMergeable(ends.source.pin, met.pin)
  }
  await new Move(ground, work).move(ends.source, ends.to)
  await syncFolder(from.folder)
}

/** Both ends of a move, held and looked at. */
interface MoveEnds extends Disposable {
  readonly source: Original
  readonly to: Place
  /** What is at the target. */
  readonly old: BigIntStats | undefined
}

async function moveEnds(
  ground: Ground,
  from: Location,
  findTarget: FindTarget,
  { replace }: TransferMode,
): Promise<MoveEnds> {
  using held = new DisposableStack()
  const source = held.use(await holdOriginal(from))
  if (source.stats.isSymbolicLink()) await requireNoWayOut(ground, from.folder, from.name)
  const to = held.use(await findTarget(source.stats.isDirectory() ? source.pin : undefined))
  const old = await statsOrNothing(at(to.folder, to.name))
  if (old !== undefined && !isSame(old, source.stats)) {
    if (!replace) fail('CONFLICT', 'something with this name is already there')
    requireSameKind(source.stats, old)
    if (old.isSymbolicLink()) await requireNoWayOut(ground, to.folder, to.name)
  }
  const moved = held.move()
  return { source, to, old, [Symbol.dispose]: () => moved.dispose() }
}

/** One thing under two names: hard links, or a disk that does not tell "A" from "a". */
function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev
}

class Move {
  readonly #ground: Ground
  readonly #work: Work

  constructor(ground: Ground, work: Work) {
    this.#ground = ground
    this.#work = work
  }

  async move(source: Original, to: Location): Promise<void> {
    requireGoOn(this.#work)
    const old = await statsOrNothing(at(to.folder, to.name))
    if (old !== undefined) requireSameKind(source.stats, old)
    if (source.stats.isDirectory() && old !== undefined) await this.#merge(source, to)
    else if (await this.#isRenamed(source, to, old !== undefined)) this.#work.advance?.(Number(source.stats.size), 1)
    else await this.#carryOver(source, to, old)
  }

  async #merge({ pin, location }: Original, to: Location): Promise<void> {
    {
      using met = await holdOriginal(to)
      for (const name of await childrenOf(pin)) {
        using child = await holdOriginal({ folder: pin, name })
        await this.move(child, { folder: met.pin, name })
      }
      await syncFolder(met.pin)
    }
    await rmdir(at(location.folder, location.name))
  }

  async #isRenamed({ location, stats }: Original, to: Location, replace: boolean): Promise<boolean> {
    try {
      if (replace) await rename(at(location.folder, location.name), at(to.folder, to.name))
      else await (stats.isDirectory() ? placeFolder : placeFile)(location, to)
      return true
    } catch (error) {
      if (errorWord(error) === 'EXDEV') return false
      throw error
    }
  }

  /** To another disk. Where something could not be copied, nothing is removed. */
  async #carryOver(source: Original, to: Location, old: BigIntStats | undefined): Promise<void> {
    const leftOut: string[] = []
    const work = { ...this.#work, leftOut: (name: string) => leftOut.push(name) }
    await copyIntoPlace({ ground: this.#ground, work, durable: true, keepsTimes: true }, source, to, old)
    if (leftOut.length > 0) {
      for (const name of leftOut) this.#work.leftOut?.(name)
      return
    }
    // Not to be stopped any more: all of it is at the target.
    await removeTree(source.location)
  }
}
