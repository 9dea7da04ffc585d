import type { BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import { statsOrNothing } from '../entry-stats.ts'
import { at, type Handle } from '../handle.ts'
import { Cursor } from './cursor.ts'
import type { Location } from './location.ts'
import { walk, type Entry, type WalkOptions } from './walk.ts'

export interface Merge {
  /** This one is for `carry` to leave out, with all in it. */
  readonly isClosed?: ((entry: Entry) => boolean) | undefined
  /** Brings what is not a folder in both. @param old what it replaces */
  carry(entry: Entry, to: Location, old: BigIntStats | undefined): Promise<void>
  /** This one is a folder in both. */
  meet?(folder: Entry): void
  /** All has been brought into a folder that was there. */
  leave?(folder: Handle): Promise<void>
}

/** A file never replaces a folder, nor the other way round. @throws CONFLICT */
export function requireSameKind(source: BigIntStats, target: BigIntStats): void {
  if (source.isDirectory() && !target.isDirectory()) fail('CONFLICT', 'a file is in the way of the folder')
  if (!source.isDirectory() && target.isDirectory()) fail('CONFLICT', 'a folder is in the way')
}

/**
 * Puts what is in one folder into another: what is a folder in both is merged, the rest is brought by `carry`.
 *
 * @throws CONFLICT before anything is done, where a file and a folder would meet
 */
export async function mergeTrees(source: Handle, target: Handle, merge: Merge, options: WalkOptions): Promise<void> {
  await walkBoth(source, target, { carry: async () => undefined, isClosed: merge.isClosed }, options)
  await walkBoth(source, target, merge, options)
}

async function walkBoth(
  source: Handle,
  target: Handle,
  { carry, isClosed, meet, leave }: Merge,
  options: WalkOptions,
): Promise<void> {
  using into = new Cursor(target)
  const bring = async (entry: Entry): Promise<boolean> => {
    const to = { folder: into.here, name: entry.name }
    const old = await statsOrNothing(at(to.folder, to.name))
    const isCarried = isClosed?.(entry) === true
    if (old !== undefined && !isCarried) requireSameKind(entry.stats, old)
    if (isCarried || old?.isDirectory() !== true) {
      await carry(entry, to, old)
      return false
    }
    await into.down(entry.name)
    meet?.(entry)
    return true
  }
  const up = async () => {
    await leave?.(into.here)
    await into.up()
  }
  const file = async (entry: Entry) => {
    await bring(entry)
  }
  await walk(source, { file, enter: bring, leave: up }, options)
  await leave?.(into.here)
}
