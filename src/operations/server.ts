import { listAudit } from '../api/server/audit.ts'
import { clearCache, getCache } from '../api/server/cache.ts'
import { beginMaintenance, endMaintenance, getMaintenance } from '../api/server/maintenance.ts'
import {
  beginMaintenanceAsOperator,
  createBackupAsOperator,
  givePlace,
  importInstallation,
  listNodes,
  restoreBackupAsOperator,
  takePlace,
  updateServerAsOperator,
} from '../api/server/operator.ts'
import { changeRoot, createRoot, listRoots, removeRoot } from '../api/server/roots.ts'
import { getServer } from '../api/server/server-options.ts'
import { fail } from '../domain/errors.ts'
import type { ServerOptions } from '../domain/server/server-options.ts'
import { storeName } from '../domain/server/store-url.ts'
import type { FoundInstallation } from '../import/import-installation.ts'
import { listNodes as nodesOf } from '../services/server/nodes.ts'
import type { Services } from '../services/index.ts'
import type { PlaceHolder } from '../services/server/roots/given-places.ts'
import { handler } from './handler.ts'

export const serverHandlers = [
  handler(getServer, ({ actor }, { services: { serverOptions } }) => serverOptions.get(actor)),

  handler(
    updateServerAsOperator,
    async ({ actor, body: { values = {}, reset = [] } }, { services: { serverOptions } }) => {
      if (Object.keys(values).length > 0) await serverOptions.save(actor, values)
      if (reset.length > 0) await serverOptions.forget(actor, reset as (keyof ServerOptions)[])
      return serverOptions.get(actor)
    },
    ({ body: { values = {}, reset = [] } }) => [...Object.keys(values), ...reset].join(' '),
  ),

  handler(listRoots, async ({ actor }, { services: { roots } }) => await roots.list(actor)),

  handler(createRoot, async ({ actor, body }, { services: { roots } }) => await roots.create(actor, body)),

  handler(
    changeRoot,
    async ({ actor, params, body }, { services: { roots } }) => await roots.change(actor, params.id, body),
  ),

  handler(removeRoot, async ({ actor, params, body }, { services: { roots } }) => {
    await roots.remove(actor, params.id, body.current_password)
  }),

  handler(
    givePlace,
    async ({ actor, body: { name, permissions, folder, ...named } }, { services }) => {
      const change = { root: services.roots.find(named.root), folder, name, permissions }
      return await services.givenPlaces.give(actor, holderOf(named, services), change)
    },
    ({ body: { root, user, group } }) => [root, user ?? group].join(' '),
  ),

  handler(
    takePlace,
    async ({ actor, body: { folder, ...named } }, { services }) => {
      const place = { root: services.roots.find(named.root), folder }
      return await services.givenPlaces.take(actor, holderOf(named, services), place)
    },
    ({ body: { root, user, group } }) => [root, user ?? group].join(' '),
  ),

  handler(getMaintenance, ({ actor }, { services: { maintenance } }) => maintenance.status(actor)),

  handler(
    beginMaintenance,
    async ({ actor, body }, { services: { maintenance } }) => await maintenance.begin(actor, body),
  ),

  handler(endMaintenance, async ({ actor }, { services: { maintenance } }) => await maintenance.end(actor)),

  handler(beginMaintenanceAsOperator, async ({ actor, body }, { services: { maintenance, auth } }) => ({
    status: await maintenance.begin(actor, body),
    withoutSignIn: auth.method() === 'noauth',
  })),

  handler(createBackupAsOperator, async ({ actor }, { services: { backups } }) => await backups.create(actor)),

  handler(
    restoreBackupAsOperator,
    async ({ actor, query: { dryRun }, body }, { services: { backups } }) =>
      await backups.restore(actor, body, { dryRun }),
    ({ query: { file } }) => file,
  ),

  handler(listAudit, async ({ actor, query }, { services: { audit } }) => await audit.page(actor, query)),

  handler(listNodes, async (_, { shared }) => (shared === undefined ? [] : await nodesOf(shared))),

  handler(getCache, async ({ actor }, { services: { previewCache } }) => await previewCache.size(actor)),

  handler(clearCache, async ({ actor }, { services: { previewCache } }) => await previewCache.clear(actor)),

  handler(
    importInstallation,
    async ({ query: { dryRun }, body: { found, merge } }, { store, options, dataFolder = '' }) => {
      const { importInto } = await import('../import/import-installation.ts')
      const name = storeName({ folder: dataFolder, url: options.store })
      return await importInto(store, found as FoundInstallation, { dryRun, merge, name })
    },
    ({ body: { files } }) => files.join(' '),
  ),
]

/** @throws INVALID_INPUT unless either a user or a group is named; NOT_FOUND */
function holderOf(
  { user, group }: { readonly user?: string | undefined; readonly group?: string | undefined },
  { users, groups }: Pick<Services, 'users' | 'groups'>,
): PlaceHolder {
  if (user !== undefined && group === undefined) return { userId: users.find(user).id }
  if (group !== undefined && user === undefined) return { groupId: groups.find(group).id }
  return fail('INVALID_INPUT', 'name either a user or a group', { field: 'user' })
}
