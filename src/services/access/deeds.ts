import { isSame, mayDo, requireRight, type Right } from '../../domain/access/permissions.ts'
import { below, childOf, nameOf, parentOf, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { FileAccess } from './file-access.ts'

/** What is done with an entry and, if it is a folder, with everything in it. */
export type Deed =
  | { readonly kind: 'remove'; readonly from: VirtualPath; readonly to?: undefined }
  | {
      readonly kind: 'copy' | 'move'
      readonly from: VirtualPath
      readonly to: VirtualPath
      /** Also replaces what is at the target. */
      readonly replace: boolean
    }

/**
 * The only place that says which rights this needs at which paths. Where other permissions hold at the target, a copy must not make
 * readable what is not, and a move is a copy and a deletion.
 */
function rightsFor(files: FileAccess, deed: Deed): (readonly [Right, VirtualPath])[] {
  const { kind, from, to } = deed
  if (to === undefined) return [['files.remove', from]]
  const here = files.permissionsAt(from)
  const isElsewhere = !isSame(here, files.permissionsAt(to))
  const replacing = deed.replace ? ([['files.save', to]] as const) : []
  if (kind === 'move') {
    const crossing = [
      ['files.take', from],
      ['files.remove', from],
      ['files.create', to],
    ] as const
    return [...replacing, ['files.rename', from], ...(isElsewhere ? crossing : [])]
  }
  // Where it holds anyway, it is asked for the sake of what a link leads to.
  const isReadable = isElsewhere || (files.hasPermissionRules && mayDo(here, 'files.take'))
  return [...replacing, ['files.copy', to], ...(isReadable ? ([['files.take', from]] as const) : [])]
}

/** Asked again before each effect. @throws FORBIDDEN */
export async function requireDeed(files: FileAccess, deed: Deed): Promise<void> {
  for (const each of await namedDeeds(files, deed)) {
    for (const [right, path] of rightsFor(files, each)) files.require(right, path)
    // Other rules may make the same paths two places meanwhile.
    files.keepRights(() => {
      for (const [right, path] of rightsFor(files, each)) requireRight(files.permissionsAt(path), right)
    })
  }
}

/** The deed by its own names and, where links lead elsewhere, by the real ones. */
export async function namedDeeds(files: FileAccess, deed: Deed): Promise<readonly Deed[]> {
  if (!files.hasPermissionRules) return [deed]
  const { kind, from, to } = deed
  // A copy follows a link; what is removed or moved is the link itself.
  const realFrom = kind === 'copy' ? ((await files.scope.whereIs(from)) ?? from) : await entryOf(files, from)
  if (to === undefined) return realFrom === from ? [deed] : [deed, { ...deed, from: realFrom }]
  const realTo = await entryOf(files, to)
  return realFrom === from && realTo === to ? [deed] : [deed, { ...deed, from: realFrom, to: realTo }]
}

/** Whether it may be done with an entry of the folder, too. @param path in the folder */
export function mayInside(files: FileAccess, deeds: readonly Deed[], path: VirtualPath): boolean {
  if (!files.hasPermissionRules) return true
  return deeds.every((deed) => {
    const from = below(deed.from, path)
    const inner: Deed = deed.to === undefined ? { ...deed, from } : { ...deed, from, to: below(deed.to, path) }
    return rightsFor(files, inner).every(([right, at]) => mayDo(files.permissionsAt(at), right))
  })
}

async function entryOf(files: FileAccess, path: VirtualPath): Promise<VirtualPath> {
  const folder = path === ROOT ? undefined : await files.scope.whereIs(parentOf(path))
  return folder === undefined ? path : childOf(folder, nameOf(path))
}
