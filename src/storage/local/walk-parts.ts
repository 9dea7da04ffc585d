import { fail } from '../../domain/errors.ts'
import type { FlatResource } from '../../domain/resource.ts'
import { below, ROOT, type VirtualPath } from '../../domain/virtual-path.ts'
import type { Visibility } from '../../domain/rule-check.ts'
import type { DevicePools } from './device-pools.ts'
import { type ScopeRoot, rulePathsOf } from './scope-root.ts'
import { lend } from './lent-scope-root.ts'
import { type HeldEntry, holdEntry } from './resolve.ts'
import { reachable } from './scope-names.ts'
import type { ShownFolder } from './worker/list-folder.ts'
import type { WalkInput } from './worker/walk-folder.ts'
export interface AskedFolder {
  readonly scopeRoot: ScopeRoot
  readonly path: VirtualPath
  readonly visibility: Visibility
}

/** How many entries of a folder are shown. */
export async function countItems(listers: DevicePools, asked: AskedFolder): Promise<number> {
  using held = await holdEntry(asked.scopeRoot, reachable(asked.path))
  return (await listers.on(held.target).run('countFolder', shownIn(held, asked)).next()).value as number
}

/** Everything beneath a folder that is shown. */
export async function* walkParts(
  listers: DevicePools,
  asked: AskedFolder,
  signal?: AbortSignal,
): AsyncGenerator<FlatResource, void, void> {
  using held = await holdEntry(asked.scopeRoot, reachable(asked.path))
  const input: WalkInput = { ...shownIn(held, asked), pathPrefix: asked.path === ROOT ? '/' : `${asked.path}/` }
  for await (const batch of listers.on(held.target).run('walkFolder', input, signal)) yield* batch as FlatResource[]
}

function shownIn(held: HeldEntry, { scopeRoot, path, visibility }: AskedFolder): ShownFolder {
  if (!held.targetStats.isDirectory()) fail('INVALID_INPUT', 'path is not a directory')
  return {
    folder: held.target.fd,
    scopeRoot: lend(scopeRoot, visibility.rules),
    hideDotfiles: visibility.hideDotfiles,
    rulePaths: rulePathsOf(scopeRoot, held.target, below(visibility.rulePrefix, path)),
  }
}
