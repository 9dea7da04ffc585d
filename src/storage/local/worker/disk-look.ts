import { lstatSync, openSync, readlinkSync } from 'node:fs'
import { destinationSteps, type DiskLook, type HeldLocation } from '../destination.ts'
import type { ScopeRoot } from '../scope-root.ts'
import { Handle } from '../handle.ts'

/** Holds what lies at a path. @param flags of open(2) */
export function holdSync(path: string | Buffer, flags: number): Handle {
  return new Handle(openSync(path, flags))
}

const LOOK: DiskLook = {
  stats: (path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  linkText: (path) => readlinkSync(path, { encoding: 'buffer' }),
  hold: holdSync,
}

/** @throws as `destinationSteps` */
export function destinationSync(scopeRoot: ScopeRoot, folder: Handle, name: Buffer): HeldLocation {
  const steps = destinationSteps(LOOK, scopeRoot, folder, name)
  for (let next = steps.next(); ; next = steps.next(next.value)) if (next.done === true) return next.value
}
