import { fail } from '../../domain/errors.ts'
import type { LinkPolicy } from '../storage.ts'
import type { Leftovers } from './leftovers.ts'
import { isOwnName } from './own-names.ts'
import type { Pin } from './pin.ts'
import type { StagingJournal } from './staging-journal.ts'

/** The held folder that nothing may leave, and what links may do. */
export interface Ground {
  readonly root: Pin
  readonly links: LinkPolicy
  /** How the root is called, where that may be told. */
  readonly rootName?: string
  /** Remembers what is written under hidden names; without it a killed process leaves them behind. */
  readonly journal?: StagingJournal | undefined
  /** Told of folders that are written in. */
  readonly leftovers?: Leftovers | undefined
}

const SLASH = 0x2f

/**
 * Looks at where a held entry really is, by the kernel's word. The open that led there may have been sent outside by a
 * folder that was swapped for a link, but holding does nothing, and no swap can move the descriptor we look at.
 *
 * @throws FORBIDDEN when it is outside, NOT_FOUND when a link led into the storage's own files
 */
export function requireInside({ root, links }: Ground, pin: Pin): void {
  const home = root.realPath
  const real = pin.realPath
  if (!isBeneath(home, real)) {
    if (links === 'follow') return
    fail('FORBIDDEN', 'the path leads outside of the folder')
  }
  const rest = real.subarray(home.length).toString('latin1')
  if (rest.split('/').some(isOwnName)) fail('NOT_FOUND', 'there is nothing at this path')
}

/** Gives the pin back when it is inside, closes it and throws when not. */
export function inside(ground: Ground, pin: Pin): Pin {
  try {
    requireInside(ground, pin)
    return pin
  } catch (error) {
    pin[Symbol.dispose]()
    throw error
  }
}

/** Compared as bytes and with the separator: "/data/root2" begins with "/data/root". */
export function isBeneath(home: Buffer, real: Buffer): boolean {
  if (home.length === 1) return true
  return real.subarray(0, home.length).equals(home) && (real.length === home.length || real[home.length] === SLASH)
}
