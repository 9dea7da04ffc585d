import type { BigIntStats } from 'node:fs'
import { fail, throwIfCancelled } from '../../../domain/errors.ts'
import type { Work } from '../../storage.ts'
import { type Identity, statsOf, statsOrNothing } from '../system/disk.ts'
import { readdir } from '../system/gated-calls.ts'
import {
  at,
  type Handle,
  hold,
  HOLD_FOLDER,
  HOLD_FOLDER_ITSELF,
  type Location,
  type Name,
  textOf,
} from '../system/handle.ts'
import { errnoCode } from '../system/os-error.ts'
import { unlessErrno } from '../../../platform/files/error-code.ts'

/** An entry that the walk reached. Its folder stays open until the visitor returns; retain it to use it longer. */
export class Entry implements Location {
  readonly folder: Handle
  readonly name: Buffer
  readonly stats: BigIntStats
  readonly #prefix: string

  constructor(folder: Handle, name: Buffer, stats: BigIntStats, prefix: string) {
    this.folder = folder
    this.name = name
    this.stats = stats
    this.#prefix = prefix
  }

  /** The name to compare with names of the storage, which are ASCII. */
  get text(): string {
    return this.name.toString('latin1')
  }

  /** Relative to the top, for reports. */
  get path(): string {
    return `${this.#prefix}${textOf(this.name)}`
  }
}

export interface Visitor {
  /** Called for everything that is not a folder. */
  file(entry: Entry): Promise<void>
  /** @returns whether to visit the content of the folder */
  enter(entry: Entry): Promise<boolean>
  /** Called after all content of the folder. */
  leave?(entry: Entry): Promise<void>
}

export interface WalkOptions {
  readonly work: Work
  /** Entries to ignore, with their content. */
  readonly ignores?: ((entry: Entry) => Promise<boolean> | boolean) | undefined
  /** Prefix for the paths of all entries. */
  readonly prefix?: string | undefined
  /** Called with errors of entries that are skipped; without it an error ends the walk. */
  readonly onSkip?: ((error: unknown) => void) | undefined
}

interface Level {
  readonly folder: Entry | undefined
  readonly prefix: string
  readonly names: Buffer[]
}

/**
 * Visits everything in an open folder, at any depth and with few descriptors. Skips entries that disappear meanwhile. A folder
 * that is swapped for a link is not followed, so the walk cannot be led out of the tree.
 */
export async function walk(top: Handle, visitor: Visitor, options: WalkOptions): Promise<void> {
  const { work, ignores, prefix = '', onSkip } = options
  using cursor = new Cursor(top)
  const orSkip = async <T>(call: Promise<T>): Promise<T | undefined> => {
    try {
      return await call
    } catch (error) {
      if (onSkip === undefined || errnoCode(error) === undefined) throw error
      onSkip(error)
      return undefined
    }
  }
  const namesHere = async (): Promise<Buffer[]> => (await orSkip(namesIn(cursor.here))) ?? []
  const levels: Level[] = [{ folder: undefined, prefix, names: await namesHere() }]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    throwIfCancelled(work.signal)
    const name = level.names.pop()
    if (name === undefined) {
      levels.pop()
      if (level.folder === undefined) return
      await cursor.up()
      await visitor.leave?.(new Entry(cursor.here, level.folder.name, level.folder.stats, levels.at(-1)?.prefix ?? ''))
      continue
    }
    const stats = await orSkip(statsOrNothing(at(cursor.here, name)))
    if (stats === undefined) continue
    const entry = new Entry(cursor.here, name, stats, level.prefix)
    if ((await ignores?.(entry)) === true) continue
    if (!stats.isDirectory()) {
      await visitor.file(entry)
      continue
    }
    using child = await orSkip(holdChild(cursor.here, name))
    if (child === undefined || !(await visitor.enter(entry))) continue
    await cursor.down(child)
    levels.push({ folder: entry, prefix: `${entry.path}/`, names: await namesHere() })
  }
}

/** Opens a folder without following a link. Undefined if it no longer exists or is no longer a folder. */
export async function holdChild(folder: Handle, name: Buffer): Promise<Handle | undefined> {
  return await unlessErrno(hold(at(folder, name), HOLD_FOLDER_ITSELF), 'ENOENT', 'ENOTDIR', 'ELOOP')
}

/** Returns bytes, because a name that is not UTF-8 would change when decoded. */
export async function namesIn(folder: Handle): Promise<Buffer[]> {
  return (await unlessErrno(readdir(at(folder), { encoding: 'buffer' }), 'ENOENT')) ?? []
}

/** How many parent folders stay open. The walk can continue even if one of these is moved meanwhile. */
const MAX_OPEN_PARENTS = 8

/** Moves down into folders and up again. Reaches distant parents through "..", so that depth costs no descriptors. */
export class Cursor implements Disposable {
  #here: Handle
  readonly #held: Handle[] = []
  readonly #above: Identity[] = []

  constructor(top: Handle) {
    this.#here = top.retain()
  }

  get here(): Handle {
    return this.#here
  }

  /** @param child an open folder, or the name of one; links are refused */
  async down(child: Handle | Name): Promise<void> {
    const isName = typeof child === 'string' || Buffer.isBuffer(child)
    using next = isName ? await hold(at(this.#here, child), HOLD_FOLDER_ITSELF) : child.retain()
    const { dev, ino } = await statsOf(this.#here)
    this.#above.push({ dev, ino })
    this.#held.push(this.#here)
    if (this.#held.length > MAX_OPEN_PARENTS) this.#held.shift()?.[Symbol.dispose]()
    this.#here = next.retain()
  }

  /** @throws CONFLICT if the folder was moved and its old parent is not open */
  async up(): Promise<void> {
    const above = this.#above.pop()
    const next = this.#held.pop() ?? (await parentOf(this.#here, above))
    this.#here[Symbol.dispose]()
    this.#here = next
  }

  [Symbol.dispose](): void {
    this.#here[Symbol.dispose]()
    for (const handle of this.#held.splice(0)) handle[Symbol.dispose]()
  }
}

/** Compares the identity. The attack: moving the folder out of the tree, so that ".." leads the walk to another folder. */
async function parentOf(folder: Handle, expected: Identity | undefined): Promise<Handle> {
  using parent = await hold(`${at(folder).toString()}/..`, HOLD_FOLDER)
  const { dev, ino } = await statsOf(parent)
  if (expected?.dev !== dev || expected.ino !== ino)
    fail('CONFLICT', 'a folder was moved meanwhile: try again', { reason: 'changed' })
  return parent.retain()
}
