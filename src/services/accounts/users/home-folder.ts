import { fail } from '../../../domain/errors.ts'
import type { Settings } from '../../../domain/settings/settings.ts'
import { foldForDisks, plainLetters } from '../../../domain/text/fold.ts'
import { truncateToBytes } from '../../../domain/text/printable.ts'
import { ROOTS_FOLDER } from '../../../domain/server/root.ts'
import {
  childOf,
  cleanVirtualPath,
  isInside,
  parentOf,
  ROOT,
  type VirtualPath,
} from '../../../domain/files/virtual-path.ts'

/**
 * A scope as it is stored: absolute and without "..", so that it cannot leave the served folder.
 *
 * @throws INVALID_INPUT for one in another root, whose values would not apply
 */
export function cleanScope(text: string): VirtualPath {
  const scope = cleanVirtualPath(text.trim())
  if (isInside(ROOTS_FOLDER, scope))
    fail('INVALID_INPUT', 'this scope is reserved: name the root of the account instead', { field: 'scope' })
  return scope
}

/** File systems allow names of 255 bytes, and a number may be appended. */
const MAX_HOME_BYTES = 240

/**
 * The path of a user's home folder, with a sanitized name that keeps letters of every script.
 *
 * @throws INVALID_INPUT if nothing is left of the name
 */
export function homeOf(username: string, { userHomeBasePath }: Pick<Settings, 'userHomeBasePath'>): VirtualPath {
  const name = plainLetters(username)
    .trim()
    .replaceAll('..', '')
    .replace(/[^\p{L}\p{M}\p{N}@_.-]/gu, '-')
    .replace(/-+/g, '-')
    // Hidden names are reserved: one of them is the trash folder.
    .replace(/^\.+/, '')
  if (['', '-'].includes(name)) {
    fail('INVALID_INPUT', `no folder can be named after the user "${username}"; give a scope`, { field: 'username' })
  }
  return childOf(cleanVirtualPath(userHomeBasePath), truncateToBytes(name, MAX_HOME_BYTES))
}

const MAX_NUMBERED = 100

/** The home folder, and those to use instead if it belongs to another user: "anna", "anna-2", "anna-3" … */
export function numberedHomes(home: VirtualPath): VirtualPath[] {
  return Array.from({ length: MAX_NUMBERED }, (_, index) =>
    index === 0 ? home : (`${home}-${index + 1}` as VirtualPath),
  )
}

/**
 * The folders that are the scope of a user, or have one inside. Names that a disk may not distinguish, such as those that differ
 * only in case, count as the same (GHSA-7rc3-g7h6-22m7).
 */
export function createTakenFolders(scopes: readonly string[]) {
  const taken = new Set<VirtualPath>()
  const add = (scope: string): void => {
    const folded = foldForDisks(cleanVirtualPath(scope)) as VirtualPath
    for (let folder = folded; folder !== ROOT && !taken.has(folder); folder = parentOf(folder)) taken.add(folder)
  }
  for (const scope of scopes) add(scope)
  return { has: (home: VirtualPath): boolean => taken.has(foldForDisks(home) as VirtualPath), add }
}
