import { fail } from '../../../domain/errors.ts'
import type { Settings } from '../../../domain/settings/settings.ts'
import { childOf, cleanVirtualPath, isInside, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { StoreDocument } from '../../../store/document.ts'

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
    .normalize('NFKC')
    .trim()
    .replaceAll('..', '')
    .replace(/[^0-9A-Za-z@_.-]/g, '-')
    .replace(/-+/g, '-')
    // Hidden names are reserved: one of them is the trash folder.
    .replace(/^\.+/, '')
  if (['', '-'].includes(name)) {
    fail('INVALID_INPUT', `no folder can be named after the user "${username}"; give a scope`, { field: 'scope' })
  }
  return childOf(cleanVirtualPath(userHomeBasePath), name)
}

/**
 * Homes belong to one user: none lies in the scope of another who is not above it. Names that differ only in case, or in
 * how they are composed, are one home (GHSA-7rc3-g7h6-22m7): a disk may not tell them apart.
 *
 * @throws CONFLICT
 */
export function requireFreeHome({ users }: Readonly<StoreDocument>, home: string): void {
  const folded = foldPath(cleanVirtualPath(home))
  if (users.some(({ scope }) => isInside(folded, foldPath(cleanVirtualPath(scope))))) {
    fail('CONFLICT', 'the home folder of that name belongs to another user; take another name', { field: 'username' })
  }
}

function foldPath(path: VirtualPath): VirtualPath {
  return path.normalize('NFKC').toLowerCase() as VirtualPath
}
