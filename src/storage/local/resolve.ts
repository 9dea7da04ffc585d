import { lstatSync, readlinkSync, type BigIntStats } from 'node:fs'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { below, type VirtualPath } from '../../domain/virtual-path.ts'
import { fstat as fstatDescriptor } from './gated-calls.ts'
import { inside, judge, judgePlace, realPathOf, type Ground } from './ground.ts'
import { statsOrNothing } from './entry-stats.ts'
import { errorWord } from './os-error.ts'
import { at, beneath, hold, HOLD_ENTRY, HOLD_FOLDER, HOLD_TARGET, holdSync, type Name, type Pin } from './pin.ts'

/** As many as the kernel follows. */
const MOST_LINKS = 40

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
    if (errorWord(error) === 'ENOENT') destinationOf(ground, folder, name)[Symbol.dispose]()
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
export function targetPlace(ground: Ground, folder: Pin, name: Name, replace: boolean): Place {
  if (replace) return destinationOf(ground, folder, name)
  judgePlace(ground, folder, name, undefined)
  return new Place(folder.retain(), name)
}

/** A name as it stands, whether or not it is a link. @throws FORBIDDEN */
export async function judgedPlace(ground: Ground, folder: Pin, name: Name): Promise<Place> {
  judgePlace(ground, folder, name, await statsOrNothing(at(folder, name)))
  return new Place(folder.retain(), name)
}

/** A name in a held folder. */
export class Place implements Disposable {
  readonly folder: Pin
  readonly name: Name

  constructor(folder: Pin, name: Name) {
    this.folder = folder
    this.name = name
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]()
  }
}

/**
 * Follows links from a name to the name that is no link, where something may be or not. Each folder on the way is held and
 * looked at; the text of a link is read once and used as read. Synchronous: asked for links at the last step only.
 *
 * @throws FORBIDDEN when the way leaves the ground or leads in circles
 */
export function destinationOf(ground: Ground, folder: Pin, name: Name): Place {
  let place = new Place(folder.retain(), name)
  for (let links = 0; links <= MOST_LINKS; links += 1) {
    using here = place
    const stats = lstatSync(at(here.folder, here.name), { bigint: true, throwIfNoEntry: false })
    judgePlace(ground, here.folder, here.name, stats)
    if (!stats?.isSymbolicLink()) return new Place(here.folder.retain(), here.name)
    const text = readlinkSync(at(here.folder, here.name), { encoding: 'buffer' })
    place = placeOf(ground, here.folder, text)
  }
  place[Symbol.dispose]()
  return fail('FORBIDDEN', 'a link leads in circles', { reason: 'circle' })
}

/** Whether a link of this text in this folder would lead inside, or to nothing inside. */
export function leadsInside(ground: Ground, folder: Pin, linkText: Buffer): boolean {
  const path = linkText[0] === SLASH ? linkText : Buffer.concat([Buffer.from(`${at(folder).toString()}/`), linkText])
  try {
    using target = holdSync(path, HOLD_TARGET)
    judge(ground, target)
    return true
  } catch (error) {
    if (isFilemgrError(error) || errorWord(error) !== 'ENOENT') return false
  }
  try {
    placeOf(ground, folder, linkText)[Symbol.dispose]()
    return true
  } catch (error) {
    return isFilemgrError(error, 'NOT_FOUND')
  }
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
    requireHarmless(ground, folder, name)
  }
}

function requireHarmless(ground: Ground, folder: Pin, name: Name): void {
  try {
    destinationOf(ground, folder, name)[Symbol.dispose]()
  } catch (error) {
    const isHarmless =
      isFilemgrError(error, 'NOT_FOUND') || (isFilemgrError(error) && error.details['reason'] === 'circle')
    if (!isHarmless) throw error
  }
}

/** The place that the text of a link names. Where its folder is missing, the nearest one that exists tells which side it is on. */
function placeOf(ground: Ground, folder: Pin, linkText: Buffer): Place {
  const text = linkText.toString('latin1').replace(/\/+$/, '')
  const slash = text.lastIndexOf('/')
  const name = text.slice(slash + 1)
  const isPlain = name !== '' && name !== '.' && name !== '..'
  const way = isPlain ? text.slice(0, slash + 1) : text
  const from = linkText[0] === SLASH ? `/${way}` : `${at(folder).toString()}/${way}`
  const found = nearestFolder(ground, from)
  if (isPlain && found.isWhole) return new Place(found.pin, Buffer.from(name, 'latin1'))
  found.pin[Symbol.dispose]()
  return fail('NOT_FOUND', 'a link leads to nothing')
}

/** @param path one character per byte */
function nearestFolder(ground: Ground, path: string): { pin: Pin; isWhole: boolean } {
  for (let rest = path; ; rest = rest.replace(/\/*[^/]+\/*$/, '')) {
    try {
      return { pin: inside(ground, holdSync(Buffer.from(rest || '/', 'latin1'), HOLD_FOLDER)), isWhole: rest === path }
    } catch (error) {
      if (errorWord(error) !== 'ENOENT' && errorWord(error) !== 'ENOTDIR') throw error
    }
  }
}

const SLASH = 0x2f

function whole(pin: Pin, stats: BigIntStats): HeldEntry {
  return new HeldEntry(pin, stats, pin.retain(), stats)
}
