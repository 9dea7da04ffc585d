import { constants } from 'node:os'
import type { Fault } from './world.ts'

const { EIO, ENOSPC, EPERM } = constants.errno

/** The columns of the table. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'write: EIO': { call: 'write', action: EIO },
  'write: ENOSPC': { call: 'write', action: ENOSPC },
  'third write: EIO': { call: 'write', action: EIO, skip: 2 },
  'sync: EIO': { call: 'sync', action: EIO },
  'open: EIO': { call: 'open', action: EIO },
  'open: EPERM': { call: 'open', action: EPERM },
  'read: EIO': { call: 'read', action: EIO },
  'list: EIO': { call: 'list', action: EIO },
  'mkdir: EIO': { call: 'mkdir', action: EIO },
  'rename: EIO': { call: 'rename', action: EIO },
  'remove: EPERM': { call: 'remove', action: EPERM },
  'third remove: EPERM': { call: 'remove', action: EPERM, skip: 2 },
  'killed writing': { call: 'write', action: 'kill' },
  'killed at the third write': { call: 'write', action: 'kill', skip: 2 },
  'killed syncing': { call: 'sync', action: 'kill' },
  'killed before a rename': { call: 'rename', action: 'kill' },
  'killed after a rename': { call: 'rename', action: 'kill-after' },
  'killed removing': { call: 'remove', action: 'kill' },
}
