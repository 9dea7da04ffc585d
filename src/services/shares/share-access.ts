import type { Visitor } from '../../domain/actor.ts'
import { fail } from '../../domain/errors.ts'
import { NO_PERMISSIONS, requireRight } from '../../domain/permissions.ts'
import { isSameTarget } from '../../domain/share.ts'
import { below, cleanVirtualPath, nameOf, parseVirtualPath, ROOT } from '../../domain/virtual-path.ts'
import type { FileAccess } from '../access.ts'
/**
 * What a visitor may read: the share and what is beneath it, by the rights and rules that its owner has at this moment. Every
 * way of a visitor to files comes through here.
 *
 * @param openOwner the owner's own access
 * @throws FORBIDDEN when the owner may not share this (any more); NOT_FOUND when it is not what was shared
 */
export async function shareAccess(
  { share, owner, address }: Visitor,
  openOwner: () => Promise<FileAccess>,
): Promise<FileAccess> {
  // A share must not outlive the right to share (CVE-2026-35604).
  requireRight(owner.perm, 'shares.manage')
  await using own = await openOwner()
  const root = parseVirtualPath(share.path)
  own.requireAllowed(root)
  if (cleanVirtualPath(owner.scope) !== share.scope) gone()
  await using held = new AsyncDisposableStack()
  const scope = held.use(await own.scope.within(root))
  // Asked of what is held: another thing that takes the name now is not opened (CVE-2026-61874).
  const target = await scope.identify(ROOT)
  if (share.target === undefined || !isSameTarget(share.target, target)) gone()
  const isFile = !(await scope.stat(ROOT, { ...own.view('/'), sniff: false })).isDir
  const rootName = nameOf(root) || own.rootName
  const permissions = { ...NO_PERMISSIONS, download: true }
  const moved = held.move()
  return {
    user: owner,
    permissions,
    scope,
    // One slow visitor must not keep out the others.
    countsAs: `share ${share.hash} ${address}`,
    rootName,
    // Whatever stands behind a file that is shared names that file, never another one beside it (CVE-2025-58753).
    pathOf: (text) => (isFile ? ROOT : parseVirtualPath(text)),
    // Rules are written for the owner's paths (CVE-2026-54091).
    judge: {
      rules: own.judge.rules,
      allows: (path) => own.allows(below(root, path)),
      permits: (path) => own.permits(below(root, path)),
      explain: (path) => own.judge.explain(below(root, path)),
    },
    allows: (path) => own.allows(below(root, path)),
    permits: (path) => own.permits(below(root, path)),
    hasRules: own.hasRules,
    view: (shownPath) => ({
      ...own.view(shownPath),
      rulePrefix: root,
      sorting: { by: 'name', asc: false },
      shownName: rootName,
    }),
    requireAllowed: (path) => own.requireAllowed(below(root, path)),
    require: (right) => requireRight(permissions, right),
    [Symbol.asyncDispose]: async () => await moved.disposeAsync(),
  }
}

function gone(): never {
  return fail('NOT_FOUND', 'what was shared is not there any more')
}
