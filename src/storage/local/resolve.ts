import type { BigIntStats } from 'node:fs'
import { isFilemgrError } from '../../domain/errors.ts'
import { below, type VirtualPath } from '../../domain/virtual-path.ts'
import { destinationOf, Place } from './destination.ts'
import { fstat as fstatDescriptor } from './gated-calls.ts'
import { inside, judge, judgePlace, realPathOf, type Ground } from './ground.ts'
import { statsOrNothing } from './entry-stats.ts'
import { errorWord } from './os-error.ts'
import { at, beneath, hold, HOLD_ENTRY, HOLD_FOLDER, HOLD_TARGET, type Name, type Pin } from './pin.ts'

/** Of what is held, not of what has its name by now. */
export async function statsOf(pin: { readonly fd: number }): Promise<BigIntStats> {
  return await fstatDescriptor(pin.fd, { bigint: true })
}

/** Holds a folder by its path: one open for all of it, then one look at where it led. */
export async function pinFolder(ground: Ground, segments: readonly string[]): Promise<Pin> {
  if (segments.length === 0) return ground.root.retain()
  return inside(ground, await hold(beneath(ground.root, segments), HOLD_FOLDER))
}

/** Holds what a link leads to. @throws ENOENT for one into nothing, FORBIDDEN when even that is outside */
export async function pinTarget(ground: Ground, folder: Pin, name: Name): Promise<Pin> {
  try {
    return inside(ground, await hold(at(folder, name), HOLD_TARGET))
  } catch (error) {
    if (errorWord(error) === 'ENOENT') (await destinationOf(ground, folder, name))[Symbol.dispose]()
    throw error
  }
}

/** Where a path leads to, as rules call it, whether or not something is there; undefined where they have no name for it. */
export async function whereIs(ground: Ground, segments: readonly string[]): Promise<VirtualPath | undefined> {
  for (let count = segments.length; ; count -= 1) {
    try {
      using nearest = inside(ground, await hold(beneath(ground.root, segments.slice(0, count)), HOLD_TARGET))
      const real = realPathOf(ground, nearest.realPath)
      const rest = segments.slice(count).join('/')
      return real && below(real, `/${rest}` as VirtualPath)
    } catch (error) {
      if (count === 0 || (errorWord(error) !== 'ENOENT' && errorWord(error) !== 'ENOTDIR')) throw error
    }
  }
}

/** An entry and, when it is a link, what it leads to; else both are the same. */
export class HeldEntry implements Disposable {
  readonly pin: Pin
  readonly stats: BigIntStats
  readonly target: Pin
  readonly targetStats: BigIntStats

  constructor(pin: Pin, stats: BigIntStats, target: Pin, targetStats: BigIntStats) {
    this.pin = pin
    this.stats = stats
    this.target = target
    this.targetStats = targetStats
  }

  [Symbol.dispose](): void {
    this.pin[Symbol.dispose]()
    this.target[Symbol.dispose]()
  }
}

/** @throws NOT_FOUND also for a link into nothing, FORBIDDEN for one that leaves or leads in circles */
export async function holdEntry(ground: Ground, segments: readonly string[]): Promise<HeldEntry> {
  const name = segments.at(-1)
  if (name === undefined) return whole(ground.root.retain(), await statsOf(ground.root))
  using folder = await pinFolder(ground, segments.slice(0, -1))
  using pin = await hold(at(folder, name), HOLD_ENTRY)
  const stats = await statsOf(pin)
  judgePlace(ground, folder, name, stats)
  if (!stats.isSymbolicLink()) return whole(pin.retain(), stats)
  using target = await pinTarget(ground, folder, name)
  judge(ground, target)
  return new HeldEntry(pin.retain(), stats, target.retain(), await statsOf(target))
}

/**
 * Where something is to be put under a name: to write to a link is to change what it leads to. Where nothing may be replaced
 * a link stays what it is, in the way.
 *
 * @throws FORBIDDEN
 */
export async function targetPlace(ground: Ground, folder: Pin, name: Name, replace: boolean): Promise<Place> {
  if (replace) return await destinationOf(ground, folder, name)
  judgePlace(ground, folder, name, undefined)
  return new Place(folder.retain(), name)
}

/** A name as it stands, whether or not it is a link. @throws FORBIDDEN */
export async function judgedPlace(ground: Ground, folder: Pin, name: Name): Promise<Place> {
  judgePlace(ground, folder, name, await statsOrNothing(at(folder, name)))
  return new Place(folder.retain(), name)
}

/**
 * For what is done with a link itself: one that leads out is left alone, circles and links to nothing are harmless.
 *
 * @throws FORBIDDEN
 */
export async function requireNoWayOut(ground: Ground, folder: Pin, name: Name): Promise<void> {
  try {
    using target = await pinTarget(ground, folder, name)
    judge(ground, target)
  } catch (error) {
    if (isFilemgrError(error, 'NOT_FOUND') || errorWord(error) === 'ENOENT') return
    if (errorWord(error) !== 'ELOOP' && errorWord(error) !== 'ENOTDIR') throw error
    await requireHarmless(ground, folder, name)
  }
}

async function requireHarmless(ground: Ground, folder: Pin, name: Name): Promise<void> {
  try {
    using _destination = await destinationOf(ground, folder, name)
  } catch (error) {
    const isHarmless =
      isFilemgrError(error, 'NOT_FOUND') || (isFilemgrError(error) && error.details['reason'] === 'circle')
    if (!isHarmless) throw error
  }
}

function whole(pin: Pin, stats: BigIntStats): HeldEntry {
  return new HeldEntry(pin, stats, pin.retain(), stats)
}
