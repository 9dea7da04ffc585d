import type { Resource } from '../../domain/resource.ts'
import { below, type VirtualPath } from '../../domain/virtual-path.ts'
import type { WorkerPool } from '../../platform/worker-pool.ts'
import type { ListingView } from '../storage.ts'
import { rulePathsOf, type ScopeRoot } from './scope-root.ts'
import { lend } from './lent-scope-root.ts'
import type { Handle } from './handle.ts'
import type { HelpWanted, ListInput, RowsInput } from './worker/list-folder.ts'
import { Rows } from './worker/rows.ts'

export interface ListedFolder {
  readonly scopeRoot: ScopeRoot
  readonly folder: Handle
  readonly path: VirtualPath
  readonly view: ListingView
  readonly own: Resource
}

/** The listing's bytes from a worker, which may borrow a second one. The folder is held until both have answered. */
export async function* listParts(
  workers: WorkerPool,
  { scopeRoot, folder, path, view, own }: ListedFolder,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  using heldFolder = folder.retain()
  using _root = scopeRoot.folder.retain()
  const input: ListInput = {
    folder: heldFolder.fd,
    scopeRoot: lend(scopeRoot, view.rules),
    hideDotfiles: view.hideDotfiles,
    sorting: view.sorting,
    isSniffing: view.sniff,
    pathPrefix: withSlash(view.shownPath),
    rulePaths: rulePathsOf(scopeRoot, folder, below(view.rulePrefix, path)),
    own,
  }
  let help = Promise.resolve()
  try {
    for await (const part of workers.run('listFolder', input, signal)) {
      if (part instanceof Uint8Array) yield part
      else help = helpWith(workers, (part as HelpWanted).helpWith)
    }
  } finally {
    await help
  }
}

/** A helper that fails takes the listing with it; the listing tells why. */
async function helpWith(workers: WorkerPool, input: RowsInput): Promise<void> {
  try {
    await workers.run('fillRows', input).next()
  } catch {
    Rows.markFailed(input.rows)
  }
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}
