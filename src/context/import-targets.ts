import { defaultsOf } from '../domain/schema-tools.ts'
import { ServerOptions } from '../domain/server-options.ts'
import type { ShareTarget } from '../domain/share.ts'
import { cleanVirtualPath } from '../domain/virtual-path.ts'
import { createShareTargets } from '../services/shares/share-targets.ts'
import type { FindTarget } from '../services/filebrowser/import-shares.ts'
import { planImport, type ImportInput } from '../services/filebrowser/plan-import.ts'
import { memoryStores } from '../store/open-stores.ts'
import { createContext } from '../context.ts'

/**
 * Looks at what the old links lead to, through the eyes of their owners: as if the installation had moved in already.
 *
 * @param ground without `existing`, and with a served folder that is there
 */
export async function findShareTargets(ground: ImportInput): Promise<FindTarget> {
  const { document } = planImport(ground)
  const { root } = document.server
  const found = new Map<string, ShareTarget>()
  if (root === undefined || ground.facts.rootProblem !== undefined) return () => undefined
  await using context = await createContext({
    options: { ...defaultsOf(ServerOptions), ...document.server, root },
    stores: memoryStores(document),
  })
  const targets = createShareTargets(context.services)
  for (const { path, userID } of document.shares) {
    const owner = document.users.find(({ id }) => id === userID)
    const target = owner && (await targets.at(owner, cleanVirtualPath(path)))
    if (owner !== undefined && target !== undefined) found.set(keyOf(owner, path), target)
  }
  return (owner, path) => found.get(keyOf(owner, path))
}

function keyOf({ scope }: { readonly scope: string }, path: string): string {
  return `${cleanVirtualPath(scope)}\0${cleanVirtualPath(path)}`
}
