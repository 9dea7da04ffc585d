import type { Actor } from '../../domain/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { PatternCompiler } from '../../domain/rule-check.ts'
import type { User } from '../../domain/user.ts'
import { cleanVirtualPath } from '../../domain/virtual-path.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PasswordHasher } from '../../platform/password-hasher.ts'
import { storagePathOf, type Storage } from '../../storage/storage.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { planImport, type ImportHow, type ImportPlan } from './import-plan.ts'

/** Accounts with the hashes of their passwords: for the operator alone, they never leave by the wire. */
export interface UserTransfer {
  /** By id, in the form that `import` reads. @throws FORBIDDEN */
  export(actor: Actor): readonly ExportedUser[]
  /** What an import would do. @throws as `import` */
  plan(actor: Actor, list: unknown, how: ImportHow): ImportPlan
  /** All of the list or nothing. @throws INVALID_INPUT, CONFLICT, FORBIDDEN */
  import(actor: Actor, list: unknown, how: ImportHow): Promise<ImportPlan>
}

export type ExportedUser = Omit<User, 'updatedAt' | 'credentialsVersion'>

export interface UserTransferDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Pick<Storage, 'makeScope'>
  readonly hasher: PasswordHasher
  readonly compile: PatternCompiler
  readonly clock: Clock
}

export function createUserTransfer({ store, storage, hasher, compile, clock }: UserTransferDeps): UserTransfer {
  const planFor = (document: Readonly<StoreDocument>, list: unknown, how: ImportHow): ImportPlan =>
    planImport(list, how, document, {
      defaults: document.settings.defaults,
      recognises: (hash) => hasher.recognises(hash),
      compile,
      now: clock.now(),
    })

  return {
    export(actor) {
      requireOperator(actor)
      return store
        .snapshot()
        .users.toSorted((a, b) => a.id - b.id)
        .map(({ updatedAt: _time, credentialsVersion: _version, ...user }) => user)
    },

    plan(actor, list, how) {
      requireOperator(actor)
      return planFor(store.snapshot(), list, how)
    },

    async import(actor, list, how) {
      requireOperator(actor)
      for (const { scope } of planFor(store.snapshot(), list, how).added) {
        const folder = cleanVirtualPath(scope)
        if (folder !== '/') await storage.makeScope(storagePathOf(folder))
      }
      return await store.update((draft) => {
        const plan = planFor(draft, list, how)
        const gone = new Set(plan.removed.map(({ id }) => id))
        draft.users = plan.users
        draft.nextUserId = plan.nextUserId
        draft.shares = draft.shares.filter((share) => !gone.has(share.userID))
        return plan
      })
    },
  }
}

function requireOperator(actor: Actor): void {
  if (actor.kind !== 'operator') fail('FORBIDDEN', 'hashes of passwords are for the command line only')
}
