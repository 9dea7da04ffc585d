import type { Name, Pin } from '../pin.ts'

/** A name in a held folder, whether or not something is there. */
export interface Location {
  readonly folder: Pin
  readonly name: Name
}
