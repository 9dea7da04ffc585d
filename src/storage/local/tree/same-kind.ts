import type { BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import { statsOrNothing } from '../entry-stats.ts'
import { at, type Pin } from '../pin.ts'
import { visibleChildrenOf } from './children.ts'
import { holdOriginal } from './copy-entry.ts'

/** A file never replaces a folder, nor the other way round. @throws CONFLICT */
export function requireSameKind(source: BigIntStats, target: BigIntStats): void {
  if (source.isDirectory() && !target.isDirectory()) fail('CONFLICT', 'a file is in the way of the folder')
  if (!source.isDirectory() && target.isDirectory()) fail('CONFLICT', 'a folder is in the way')
}

/** Looks at all that would meet when one folder is put into another, before anything is done. @throws CONFLICT */
export async function requireMergeable(source: Pin, target: Pin): Promise<void> {
  for (const name of await visibleChildrenOf(source)) {
    const old = await statsOrNothing(at(target, name))
    if (old === undefined) continue
    using child = await holdOriginal({ folder: source, name })
    requireSameKind(child.stats, old)
    if (!child.stats.isDirectory()) continue
    using met = await holdOriginal({ folder: target, name })
    await requireMergeable(child.pin, met.pin)
  }
}
