import type { Name, Handle } from '../handle.ts'

/** A name in a held folder, whether or not something is there. */
export interface Location {
  readonly folder: Handle
  readonly name: Name
}
