import { isFilemgrError } from '../../domain/errors.ts'
import type { SearchHit } from '../../domain/search-query.ts'
import { below, type VirtualPath } from '../../domain/virtual-path.ts'
import type { SearchView } from '../storage.ts'
import type { DevicePools } from './device-pools.ts'
import { rulePathsOf, type ScopeRoot } from './scope-root.ts'
import { lend } from './lent-scope-root.ts'
import { translateError } from './os-error.ts'
import { holdEntry, type HeldEntry } from './resolve.ts'
import { reachable } from './scope-names.ts'
import type { SearchInput } from './worker/search/search-folder.ts'

export interface SearchedFolder {
  readonly scopeRoot: ScopeRoot
  readonly path: VirtualPath
  readonly view: SearchView
}

/** The hits beneath a folder, from a worker. The folder is held until it has answered. */
export async function* searchParts(
  workers: DevicePools,
  { scopeRoot, path, view }: SearchedFolder,
  signal?: AbortSignal,
): AsyncGenerator<readonly SearchHit[], void, void> {
  using held = await holdSearched(scopeRoot, path)
  // What a link leads to is found where it is.
  if (!held?.stats.isDirectory()) return
  const input: SearchInput = {
    folder: held.target.fd,
    scopeRoot: lend(scopeRoot, view.rules),
    hideDotfiles: view.hideDotfiles,
    query: view.query,
    ...(view.details === true && { details: true }),
    rulePaths: rulePathsOf(scopeRoot, held.target, below(view.rulePrefix, path)),
  }
  for await (const hits of workers.on(held.target).run('searchFolder', input, signal)) yield hits as SearchHit[]
}

/** Undefined where nothing can be found because nothing is there, or it is not for us to see. */
async function holdSearched(scopeRoot: ScopeRoot, path: VirtualPath): Promise<HeldEntry | undefined> {
  try {
    // In a denied folder something may be allowed: rules judge each hit.
    return await holdEntry({ ...scopeRoot, permits: undefined }, reachable(path))
  } catch (error) {
    const translated = translateError(error, path)
    if (isFilemgrError(translated, 'NOT_FOUND') || isFilemgrError(translated, 'FORBIDDEN')) return undefined
    throw error
  }
}
