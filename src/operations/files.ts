import {
  emptyOrphanedTrash,
  emptyTrashAsOperator,
  listOrphanedTrash,
  listTrashAsOperator,
  restoreTrashAsOperator,
} from '../api/files/operator.ts'
import { listPlaces } from '../api/files/places.ts'
import { emptyTrash, listTrash, removeTrash } from '../api/files/trash.ts'
import type { Actor } from '../domain/accounts/actor.ts'
import { fail, isFilemgrError } from '../domain/errors.ts'
import { compareBytes } from '../domain/files/listing-order.ts'
import type { Services } from '../services/index.ts'
import { RootsInReach } from '../services/stored-roots.ts'
import { handler } from './handler.ts'

export const fileHandlers = [
  handler(listPlaces, async ({ actor }, { services: { places } }) => await places.list(actor)),

  handler(listTrash, async ({ actor }, { services: { trash } }) => await trash.list(actor)),

  handler(removeTrash, async ({ actor, params, signal }, { services: { trash } }) => {
    await trash.remove(actor, params.id, { signal })
  }),

  handler(emptyTrash, async ({ actor, signal }, { services: { trash } }) => {
    await trash.empty(actor, signal)
  }),

  handler(listTrashAsOperator, async ({ actor, query: { user } }, { services }) =>
    (await foundItems(actor, services, user)).map(({ item, username }) => ({ ...item, username })),
  ),

  handler(restoreTrashAsOperator, async ({ actor, params: { id }, signal }, { services }) => {
    const { owner, username } =
      (await foundItems(actor, services)).find(({ item }) => item.id === id) ??
      fail('NOT_FOUND', `nothing in the trash has the id ${id}; see "filemgr trash ls"`)
    const { path, job } = await services.trash.restore(actor, id, { owner, signal })
    await job?.done.catch((error: unknown) => {
      if (!job.isInterrupted) throw error
      fail('UNAVAILABLE', 'the daemon stops; repeat the command when it runs again', {}, { cause: error })
    })
    return { path, username }
  }),

  handler(
    emptyTrashAsOperator,
    async ({ actor, query: { user }, body, signal }, { services }) => {
      const ids = new Set(body.ids)
      const chosen = (await foundItems(actor, services, user)).filter(({ item }) => ids.has(item.id))
      for (const { owner, item } of chosen) await services.trash.remove(actor, item.id, { owner, signal })
      return { removed: chosen.length }
    },
    ({ query: { user }, body: { ids } }) => user ?? (ids.length === 1 ? ids[0] : undefined),
  ),

  handler(listOrphanedTrash, async ({ signal }, { services: { hiddenFiles } }) => {
    const { orphaned } = await hiddenFiles.find(signal)
    return orphaned.map(({ path, owner }) => ({ path, owner }))
  }),

  handler(emptyOrphanedTrash, async ({ actor, body: { paths }, signal }, { services: { hiddenFiles } }) => ({
    removed: paths.length === 0 ? 0 : await hiddenFiles.removeOrphaned(actor, paths, signal),
  })),
]

/** The trash of one user, or of all in roots that are not away; most recent first. */
async function foundItems(actor: Actor, { users, trash }: Pick<Services, 'users' | 'trash'>, user?: string) {
  const owners = user === undefined ? await users.list(actor) : [users.find(user)]
  const inReach = user === undefined ? new RootsInReach() : undefined
  const found = await Array.fromAsync(owners, async ({ id: owner, username }) => {
    const items = await itemsOf(trash.list(actor, owner, inReach))
    return items.map((item) => ({ owner, username, item }))
  })
  return found.flat().toSorted((one, other) => compareBytes(other.item.deleted, one.item.deleted))
}

/** Empty if the user's folder is missing. */
async function itemsOf<T>(listing: Promise<T[]>): Promise<T[]> {
  try {
    return await listing
  } catch (error) {
    if (isFilemgrError(error, 'NOT_FOUND')) return []
    throw error
  }
}
