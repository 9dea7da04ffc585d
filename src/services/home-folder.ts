import { fail } from '../domain/errors.ts'
import type { Settings } from '../domain/settings.ts'
import { childOf, cleanVirtualPath, type VirtualPath } from '../domain/virtual-path.ts'

/** A scope as it is stored: absolute and without "..", so that it cannot leave the served folder. */
export function cleanScope(text: string): VirtualPath {
  return cleanVirtualPath(text.trim())
}

/**
 * The home folder of a user: one strict name below the folder of the homes.
 *
 * @throws INVALID_INPUT when nothing is left of the name
 */
export function homeOf(username: string, { userHomeBasePath }: Pick<Settings, 'userHomeBasePath'>): VirtualPath {
  const name = username
    .trim()
    .replaceAll('..', '')
    .replace(/[^0-9A-Za-z@_.-]/g, '-')
    .replace(/-+/g, '-')
  if (['', '-', '.'].includes(name)) {
    fail('INVALID_INPUT', `no folder can be named after the user "${username}"; give a scope`, { field: 'scope' })
  }
  return childOf(cleanVirtualPath(userHomeBasePath), name)
}
