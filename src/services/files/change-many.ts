import type { Actor } from '../../domain/accounts/actor.ts'
import { type ErrorCode, isFilemgrError } from '../../domain/errors.ts'
import { failureOf } from '../../domain/failure.ts'
import type { ChangeOutcome, ChangeRequest, TrashOutcome, TrashRequest } from '../../domain/files/change-many.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { OrderedWork } from '../../platform/limits/ordered-work.ts'
import { asPartOf } from '../access/part-of-request.ts'
import { requireTrash, type Transfers } from './transfers.ts'
import type { TrashService } from './trash.ts'

export interface ChangeManyDeps {
  readonly transfers: Transfers
  readonly trash: TrashService
  readonly settings: () => Pick<Settings, 'trash'>
  readonly now: () => number
}

/** Entries that are changed at the same time. */
const AT_ONCE = { count: 16, size: Infinity }
/** Milliseconds after which no further change begins, so that a client can show how far it is, and stop. */
const LONGEST = 2000

const NO_TIME = { code: 'BUSY', message: 'there was no time for this one; send it again' }

interface ChangeWork<Item> {
  /** Called for each entry that was tried, as soon as that is over, with the code of the error if it was refused. */
  onChanged(item: Item, refused?: ErrorCode): void
  /** Aborted, it keeps further changes from beginning. */
  readonly signal: AbortSignal
}

interface Changing<Item, Done> extends ChangeWork<Item> {
  /** What the change of an item reads or writes. */
  pathsOf(item: Item): readonly string[]
  change(own: Actor, item: Item): Promise<Done>
}

type Refused = Required<Pick<ChangeOutcome, 'error'>>

/** Copies, moves, removes or restores many entries with one request, each as a request of its own would. */
export function createChangeMany({ transfers, trash, settings, now }: ChangeManyDeps) {
  /** @returns in the order of the items; those that there was no time for have BUSY */
  async function changeEach<Item, Done>(
    actor: Actor,
    items: readonly Item[],
    { pathsOf, change, onChanged, signal }: Changing<Item, Done>,
  ): Promise<(Done | Refused)[]> {
    const end = now() + LONGEST
    const outcomes: (Done | Refused)[] = []
    await using changing = new OrderedWork(AT_ONCE)
    for (const [index, item] of items.entries()) {
      await changing.add({ paths: pathsOf(item), size: 0 }, async () => {
        if (now() >= end || signal.aborted) {
          outcomes[index] = { error: NO_TIME }
          return
        }
        try {
          outcomes[index] = await asPartOf(actor, async (own) => await change(own, item))
          onChanged(item)
        } catch (error) {
          if (!isFilemgrError(error) || error.code === 'INTERNAL') throw error
          outcomes[index] = { error: failureOf(error) }
          onChanged(item, error.code)
        }
      })
    }
    await changing.end()
    return outcomes
  }

  async function start(actor: Actor, action: ChangeRequest['action'], path: string, item: Item) {
    if (action === 'trash' || action === 'delete') return await transfers.remove(actor, path, action === 'trash')
    const { destination = '', override = false } = item
    const request = { action: action === 'move' ? 'rename' : 'copy', destination, override, rename: false }
    return await transfers.transfer(actor, path, request)
  }

  return {
    /** @param folder that the paths are in @throws INVALID_INPUT if the trash is switched off */
    async changeMany(
      actor: Actor,
      folder: string,
      { action, items }: ChangeRequest,
      work: ChangeWork<Item>,
    ): Promise<ChangeOutcome[]> {
      // Other roots may have a trash of their own; each entry asks for it.
      if (action === 'trash' && seesOnlyFiles(actor)) requireTrash(settings().trash.days)
      const pathOf = ({ path }: Item) => `${folder}/${path}`
      const outcomes = await changeEach(actor, items, {
        ...work,
        pathsOf: (item) => [pathOf(item), ...(item.destination === undefined ? [] : [item.destination])],
        async change(own, item) {
          const started = await start(own, action, pathOf(item), item)
          return started && { job: started.job }
        },
      })
      return items.map(({ path }, index) => ({ path, ...outcomes[index] }))
    },

    async changeTrash(actor: Actor, { action, ids }: TrashRequest, work: ChangeWork<string>): Promise<TrashOutcome[]> {
      const found = await trash.find(actor, ids)
      const outcomes = await changeEach(actor, ids, {
        ...work,
        pathsOf: (id) => [found.get(id)?.path ?? id],
        async change(own, id) {
          const item = found.get(id)
          if (action === 'delete') {
            await trash.remove(own, id, { found: item })
            return undefined
          }
          const { path, job } = await trash.restore(own, id, { found: item })
          return { path, ...(job && { job: job.job }) }
        },
      })
      return ids.map((id, index) => ({ id, ...outcomes[index] }))
    },
  }
}

type Item = ChangeRequest['items'][number]

function seesOnlyFiles(actor: Actor): boolean {
  return actor.kind === 'user' && actor.user().allPlaces.all.every(({ root }) => root === undefined)
}
