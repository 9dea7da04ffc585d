import type { Actor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { StagedState, LinkUploadView, UploadRecord } from '../../domain/uploads/upload.ts'
import { nameOf, parseVirtualPath } from '../../domain/files/virtual-path.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { Arrivals } from '../shares/arrivals.ts'
import { ownShare } from '../shares/share-records.ts'
import type { OpenUploads } from './open-uploads.ts'
import type { UnfinishedUploads } from './unfinished-uploads.ts'

export interface LinkUploadsDeps {
  readonly store: Pick<Store<StoreDocument>, 'snapshot'>
  readonly openUploads: Pick<OpenUploads, 'ofVisitors'>
  readonly unfinished: Pick<UnfinishedUploads, 'stateOf' | 'cancel'>
  readonly arrivals: Pick<Arrivals, 'find'>
}

/** What visitors have only begun to send, for the owner of the link and administrators: it takes room of limits and quota. */
export function createLinkUploads({ store, openUploads, unfinished, arrivals }: LinkUploadsDeps) {
  const viewOf = (record: UploadRecord, hash: string, { size, touched }: StagedState): LinkUploadView => {
    const { id, length, created } = record
    const { name, from } = arrivals.find(hash, id) ?? { name: nameOf(parseVirtualPath(record.path)), from: '' }
    return { id, name, from, offset: size, length, created: seconds(created), touched: seconds(touched) }
  }

  return {
    /** The oldest first. @throws FORBIDDEN, NOT_FOUND */
    async list(actor: Actor, hash: string): Promise<LinkUploadView[]> {
      ownShare(store.snapshot(), actor, hash)
      const records = (await openUploads.ofVisitors()).filter(({ link }) => link === hash)
      const views: LinkUploadView[] = []
      for (const record of records.toSorted((a, b) => a.created - b.created)) {
        const state = await unfinished.stateOf(record)
        if (state !== undefined) views.push(viewOf(record, hash, state))
      }
      return views
    },

    /** @throws FORBIDDEN; NOT_FOUND, also for an upload by another link */
    async cancel(actor: Actor, hash: string, id: string): Promise<void> {
      ownShare(store.snapshot(), actor, hash)
      await unfinished.cancel(id, ({ link }) => {
        ownShare(store.snapshot(), actor, hash)
        if (link !== hash) fail('NOT_FOUND', 'there is no such upload')
      })
    },
  }
}

function seconds(time: number): number {
  return Math.floor(time / 1000)
}
