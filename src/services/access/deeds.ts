import { fail } from '../../domain/errors.ts'
import { isSame, mayDo, requireRight, type Right } from '../../domain/access/permissions.ts'
import { below, childOf, nameOf, parentOf, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Ends, PathIn } from './file-access.ts'

/** What is copied or moved, also to another place. */
export interface Transfer {
  readonly kind: 'copy' | 'move'
  readonly from: PathIn
  readonly to: PathIn
  /** Also replaces what is at the target. */
  readonly replace: boolean
}

/** What is done with an entry and, if it is a folder, with everything in it. */
export type Deed = { readonly kind: 'remove'; readonly from: PathIn; readonly to?: undefined } | Transfer

/**
 * The only place that says which rights this needs at which paths. Where other permissions hold at the target, a copy must not make
 * readable what is not, and a move is a copy and a deletion. So it is in another place, where rights to rename say nothing.
 */
function rightsFor(deed: Deed): (readonly [Right, PathIn])[] {
  const { kind, from, to } = deed
  if (to === undefined) return [['files.remove', from]]
  const isOnePlace = from.files === to.files
  const here = from.files.permissionsAt(from.path)
  const isElsewhere = !isOnePlace || !isSame(here, to.files.permissionsAt(to.path))
  const replacing = deed.replace ? ([['files.save', to]] as const) : []
  if (kind === 'move') {
    const renaming = isOnePlace ? ([['files.rename', from]] as const) : []
    const crossing = [
      ['files.take', from],
      ['files.remove', from],
      ['files.create', to],
    ] as const
    return [...replacing, ...renaming, ...(isElsewhere ? crossing : [])]
  }
  // Where it holds anyway, it is asked for the sake of what a link leads to.
  const isReadable = isElsewhere || (from.files.hasPermissionRules && mayDo(here, 'files.take'))
  return [...replacing, ['files.copy', to], ...(isReadable ? ([['files.take', from]] as const) : [])]
}

/** Asked again before each effect. @throws FORBIDDEN */
export async function requireDeed(deed: Deed): Promise<void> {
  const { from, to } = deed
  if (to !== undefined) requireMayLeave({ source: from.files, target: to.files })
  for (const each of await namedDeeds(deed)) {
    for (const [right, { files, path }] of rightsFor(each)) files.require(right, path)
    // Other rules may make paths of one place differ meanwhile. Between two places, the rights are always these.
    from.files.keepRights(() => {
      for (const [right, { files, path }] of rightsFor(each)) requireRight(files.permissionsAt(path), right)
    })
  }
}

/** What is shared only for viewing is not copied to another place. @throws FORBIDDEN */
export function requireMayLeave({ source, target }: Ends): void {
  if (source === target) return
  const check = () => {
    if (source.given === 'view') fail('FORBIDDEN', 'this is shared with you only for viewing')
  }
  check()
  source.keep(check)
}

/** The deed by its own names and, where links lead elsewhere, by the real ones. */
export async function namedDeeds(deed: Deed): Promise<readonly Deed[]> {
  const { kind, from, to } = deed
  if (!hasPermissionRules(deed)) return [deed]
  // A copy follows a link; what is removed or moved is the link itself.
  const realFrom = kind === 'copy' ? await targetOf(from) : await entryOf(from)
  if (to === undefined) return realFrom === from ? [deed] : [deed, { ...deed, from: realFrom }]
  const realTo = await entryOf(to)
  return realFrom === from && realTo === to ? [deed] : [deed, { ...deed, from: realFrom, to: realTo }]
}

/** Whether it may be done with an entry of the folder, too. @param path in the folder */
export function mayInside(deeds: readonly Deed[], path: VirtualPath): boolean {
  return deeds.every((deed) => {
    if (!hasPermissionRules(deed)) return true
    const from = inside(deed.from, path)
    const inner: Deed = deed.to === undefined ? { ...deed, from } : { ...deed, from, to: inside(deed.to, path) }
    return rightsFor(inner).every(([right, at]) => mayDo(at.files.permissionsAt(at.path), right))
  })
}

function hasPermissionRules({ from, to }: Deed): boolean {
  return from.files.hasPermissionRules || to?.files.hasPermissionRules === true
}

function inside({ files, path }: PathIn, relativePath: VirtualPath): PathIn {
  return { files, path: below(path, relativePath) }
}

/** The same object if no link leads elsewhere. */
async function targetOf(at: PathIn): Promise<PathIn> {
  return atReal(at, await at.files.scope.whereIs(at.path))
}

/** The same without following what is at the path itself. */
async function entryOf(at: PathIn): Promise<PathIn> {
  const { files, path } = at
  const folder = path === ROOT ? undefined : await files.scope.whereIs(parentOf(path))
  return atReal(at, folder === undefined ? undefined : childOf(folder, nameOf(path)))
}

function atReal(at: PathIn, real: VirtualPath | undefined): PathIn {
  return real === undefined || real === at.path ? at : { files: at.files, path: real }
}
