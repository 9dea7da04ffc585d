import type { Actor } from '../../domain/accounts/actor.ts'
import { type ErrorCode, isFilemgrError } from '../../domain/errors.ts'
import type { ChangeOutcome, ChangeRequest } from '../../domain/files/change-many.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { OrderedWork } from '../../platform/limits/ordered-work.ts'
import { asPartOf } from '../access/part-of-request.ts'
import { requireTrash, type Transfers } from './transfers.ts'

export interface ChangeManyDeps {
  readonly transfers: Transfers
  readonly settings: () => Pick<Settings, 'trash'>
  readonly now: () => number
}

/** Entries that are changed at the same time. */
const AT_ONCE = { count: 8, size: Infinity }
/** Milliseconds after which no further change begins, so that a client can show how far it is, and stop. */
const LONGEST = 2000

const NO_TIME = { code: 'BUSY', message: 'there was no time for this one; send it again' }

type Item = ChangeRequest['items'][number]

interface ChangeWork {
  onChanged(item: Item, refused?: ErrorCode): void
  readonly signal: AbortSignal
}

/** Copies, moves or removes many entries with one request, each as a request of its own would. */
export function createChangeMany({ transfers, settings, now }: ChangeManyDeps) {
  async function change(actor: Actor, action: ChangeRequest['action'], path: string, item: Item) {
    if (action === 'trash' || action === 'delete') return await transfers.remove(actor, path, action === 'trash')
    const { destination = '', override = false } = item
    const request = { action: action === 'move' ? 'rename' : 'copy', destination, override, rename: false }
    return await transfers.transfer(actor, path, request)
  }

  /**
   * @param folder that the paths are in
   * @param onChanged called for each entry that was tried, as soon as that is over, with the code of the error if it was refused
   * @param signal aborted, it keeps further changes from beginning
   * @returns in the order of the request; those that there was no time for have BUSY
   * @throws INVALID_INPUT if the trash is switched off
   */
  return async function changeMany(
    actor: Actor,
    folder: string,
    { action, items }: ChangeRequest,
    { onChanged, signal }: ChangeWork,
  ): Promise<ChangeOutcome[]> {
    if (action === 'trash') requireTrash(settings())
    const end = now() + LONGEST
    const outcomes: ChangeOutcome[] = []
    await using changing = new OrderedWork(AT_ONCE)
    for (const [index, item] of items.entries()) {
      const path = `${folder}/${item.path}`
      const paths = item.destination === undefined ? [path] : [path, item.destination]
      await changing.add({ paths, size: 0 }, async () => {
        if (now() >= end || signal.aborted) {
          outcomes[index] = { path: item.path, error: NO_TIME }
          return
        }
        const work = async (own: Actor) => await change(own, action, path, item)
        try {
          const started = await asPartOf(actor, work)
          outcomes[index] = { path: item.path, ...(started && { job: started.job }) }
          onChanged(item)
        } catch (error) {
          if (!isFilemgrError(error) || error.code === 'INTERNAL') throw error
          const { code, message } = error
          outcomes[index] = { path: item.path, error: { code, message } }
          onChanged(item, code)
        }
      })
    }
    await changing.end()
    return outcomes
  }
}
