import { lstatSync, openSync, readlinkSync } from 'node:fs'
import { destinationSteps, type DiskLook, type Place } from '../destination.ts'
import type { Ground } from '../ground.ts'
import { Pin } from '../pin.ts'

/** Holds what lies at a path. @param flags of open(2) */
export function holdSync(path: string | Buffer, flags: number): Pin {
  return new Pin(openSync(path, flags))
}

const LOOK: DiskLook = {
  stats: (path) => lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  linkText: (path) => readlinkSync(path, { encoding: 'buffer' }),
  hold: holdSync,
}

/** @throws as `destinationSteps` */
export function destinationSync(ground: Ground, folder: Pin, name: Buffer): Place {
  const steps = destinationSteps(LOOK, ground, folder, name)
  for (let next = steps.next(); ; next = steps.next(next.value)) if (next.done === true) return next.value
}
