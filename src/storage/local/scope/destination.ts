import type { BigIntStats } from 'node:fs'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { statsOrNothing } from '../system/disk.ts'
import { readlink } from '../system/gated-calls.ts'
import { at, type Handle, hold, HOLD_FOLDER, HOLD_TARGET, type Name } from '../system/handle.ts'
import { inside, requireAccess, requireEntryAccess, type ScopeRoot } from './scope-root.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/** How many links a path may contain: the kernel's limit. */
const MAX_LINKS = 40
const SLASH = 0x2f

/** A name in an open folder, which it closes when disposed. */
export class HeldLocation implements Disposable {
  readonly folder: Handle
  readonly name: Name

  constructor(folder: Handle, name: Name) {
    this.folder = folder
    this.name = name
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]()
  }
}

/** A name, and what had it when somebody looked. */
export class FoundLocation extends HeldLocation {
  readonly found: BigIntStats | undefined

  constructor(folder: Handle, name: Name, found: BigIntStats | undefined) {
    super(folder, name)
    this.found = found
  }

  static async look(folder: Handle, name: Name): Promise<FoundLocation> {
    const found = await statsOrNothing(at(folder, name))
    return new FoundLocation(folder.retain(), name, found)
  }
}

/** The system calls that following links needs: through the device gates on the main thread, synchronous in workers. */
export interface DiskCalls {
  stats(path: string | Buffer): Promise<BigIntStats | undefined> | BigIntStats | undefined
  linkText(path: string | Buffer): Promise<Buffer> | Buffer
  hold(path: string | Buffer, flags: number): Promise<Handle> | Handle
}

const GATED_CALLS: DiskCalls = {
  stats: statsOrNothing,
  linkText: async (path) => await readlink(path, { encoding: 'buffer' }),
  hold,
}

/** Yields each call and continues with its result, so that synchronous and asynchronous callers share one algorithm. */
type Steps<T> = Generator<unknown, T, unknown>

async function waitFor<T>(steps: Steps<T>): Promise<T> {
  for (let next = steps.next(); ;) {
    if (next.done === true) return next.value
    const step = await Promise.allSettled([next.value])
    next = step[0].status === 'fulfilled' ? steps.next(step[0].value) : steps.throw(step[0].reason)
  }
}

function* wait<T>(result: T | Promise<T>): Generator<unknown, T, unknown> {
  return (yield result) as T
}

/** @throws as `destinationSteps` */
export async function destinationOf(scopeRoot: ScopeRoot, folder: Handle, name: Name): Promise<FoundLocation> {
  return await waitFor(destinationSteps(GATED_CALLS, scopeRoot, folder, name))
}

/**
 * Follows links from a name to the first name that is not a link, whether or not that exists. Opens and checks each folder on the
 * way, and reads each link only once, so that an attacker gains nothing by swapping a link between check and use.
 *
 * @throws FORBIDDEN if the links lead out of the scope root or in circles
 */
export function* destinationSteps(
  calls: DiskCalls,
  scopeRoot: ScopeRoot,
  folder: Handle,
  name: Name,
): Steps<FoundLocation> {
  let location = new HeldLocation(folder.retain(), name)
  for (let links = 0; links <= MAX_LINKS; links += 1) {
    using here = location
    const path = at(here.folder, here.name)
    const stats = yield* wait(calls.stats(path))
    requireEntryAccess(scopeRoot, here.folder, here.name, stats)
    if (!stats?.isSymbolicLink()) return new FoundLocation(here.folder.retain(), here.name, stats)
    location = yield* locationOf(calls, scopeRoot, here.folder, yield* wait(calls.linkText(path)))
  }
  location[Symbol.dispose]()
  return fail('FORBIDDEN', 'a link leads in circles', { reason: 'circle' })
}

/** Whether a link with this text in this folder would lead inside, even if its target is missing. */
export async function leadsInside(scopeRoot: ScopeRoot, folder: Handle, linkText: Buffer): Promise<boolean> {
  const path = linkText[0] === SLASH ? linkText : Buffer.concat([Buffer.from(`${at(folder).toString()}/`), linkText])
  try {
    using target = await hold(path, HOLD_TARGET)
    requireAccess(scopeRoot, target)
    return true
  } catch (error) {
    if (isFilemgrError(error, 'BUSY')) throw error
    if (!isErrno(error, 'ENOENT')) return false
  }
  try {
    const location = await waitFor(locationOf(GATED_CALLS, scopeRoot, folder, linkText))
    location[Symbol.dispose]()
    return true
  } catch (error) {
    if (isFilemgrError(error, 'BUSY')) throw error
    return isFilemgrError(error, 'NOT_FOUND')
  }
}

/** The location that a link names. @throws FORBIDDEN if its folder, or the nearest one that exists, is outside; NOT_FOUND */
function* locationOf(calls: DiskCalls, scopeRoot: ScopeRoot, folder: Handle, linkText: Buffer): Steps<HeldLocation> {
  const text = linkText.toString('latin1').replace(/\/+$/, '')
  const slash = text.lastIndexOf('/')
  const name = text.slice(slash + 1)
  const isPlain = name !== '' && name !== '.' && name !== '..'
  const folderPath = isPlain ? text.slice(0, slash + 1) : text
  const from = linkText[0] === SLASH ? `/${folderPath}` : `${at(folder).toString()}/${folderPath}`
  const { handle, isWhole } = yield* nearestFolder(calls, scopeRoot, from)
  using nearest = handle
  if (isPlain && isWhole) return new HeldLocation(nearest.retain(), Buffer.from(name, 'latin1'))
  return fail('NOT_FOUND', 'a link leads to nothing')
}

/** @param path one character per byte */
function* nearestFolder(
  calls: DiskCalls,
  scopeRoot: ScopeRoot,
  path: string,
): Steps<{ handle: Handle; isWhole: boolean }> {
  for (let rest = path; ; rest = rest.replace(/\/*[^/]+\/*$/, '')) {
    try {
      const handle = yield* wait(calls.hold(Buffer.from(rest || '/', 'latin1'), HOLD_FOLDER))
      return { handle: inside(scopeRoot, handle), isWhole: rest === path }
    } catch (error) {
      if (!isErrno(error, 'ENOENT') && !isErrno(error, 'ENOTDIR')) throw error
    }
  }
}
