import type { Actor } from '../domain/actor.ts'
import { fail } from '../domain/errors.ts'
import { requireRight } from '../domain/rights.ts'
import { leaves } from '../domain/schema-tools.ts'
import { ServerOptions } from '../domain/server-options.ts'
import type { StoreDocument } from '../store/document.ts'
import type { Store } from '../store/store.ts'

/** Saved start-up values; they count from the next start on. */
export interface SavedOptions {
  /** @throws FORBIDDEN, INVALID_INPUT */
  save(actor: Actor, values: Partial<ServerOptions>): Promise<void>
  /** Back to the defaults. @throws FORBIDDEN */
  forget(actor: Actor, names: readonly (keyof ServerOptions)[]): Promise<void>
}

export function createSavedOptions({ store }: { readonly store: Store<StoreDocument> }): SavedOptions {
  return {
    async save(actor, values) {
      requireAdministration(actor)
      refuseStartOnly(values)
      await store.update((draft) => void Object.assign(draft.server, values))
    },
    async forget(actor, names) {
      requireAdministration(actor)
      await store.update((draft) => {
        draft.server = Object.fromEntries(
          Object.entries(draft.server).filter(([name]) => !names.includes(name as keyof ServerOptions)),
        )
      })
    },
  }
}

function requireAdministration(actor: Actor): void {
  if (actor.kind === 'user') requireRight(actor.user.perm, 'settings.manage')
}

/** What amounts to a shell on this machine is granted by whoever starts the daemon, not by whoever may write the store. */
function refuseStartOnly(values: Partial<ServerOptions>): void {
  for (const { key, annotation } of leaves(ServerOptions)) {
    if (annotation.web === false && values[key as keyof ServerOptions] !== undefined) {
      fail('INVALID_INPUT', `${key} is not saved: give it to "filemgr serve", or put it into the config file`, {
        field: key,
      })
    }
  }
}
