import type { UserActor, Visitor } from '../../domain/accounts/actor.ts'
import type { Session } from '../../domain/accounts/session.ts'
import { type FilemgrError, problemIn } from '../../domain/errors.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Collection, Store } from '../../store/store.ts'

/** Milliseconds after which what expires has ended. Changes of the store are noticed at once. */
const INTERVAL = 500

export interface ActorWatchDeps {
  readonly store: Pick<Store<StoreDocument>, 'onChange'>
  readonly sessions: Pick<Collection<Session>, 'onChange'>
}

interface Watched {
  readonly actor: UserActor | Visitor
  readonly listener: (reason: FilemgrError) => void
}

/**
 * Ends work whose next step would be refused: otherwise a thief could keep reading by a link that was removed, and a job or an
 * upload could outlive the right to it for hours. Notices what other processes change, too.
 */
export function createActorWatch({ store, sessions }: ActorWatchDeps) {
  const watched = new Set<Watched>()

  const checkAll = (): void => {
    for (const entry of [...watched]) {
      const reason = refusalOf(entry.actor)
      if (reason !== undefined && watched.delete(entry)) entry.listener(reason)
    }
  }

  const timer = setInterval(checkAll, INTERVAL).unref()
  const unsubscribe = [store.onChange(checkAll), sessions.onChange(checkAll)]

  return {
    /**
     * Calls the listener once, with the reason, as soon as the actor may do nothing more, or a check would fail that its work has
     * passed. @returns a function that unsubscribes
     */
    onRefused(actor: UserActor | Visitor, listener: (reason: FilemgrError) => void): () => void {
      const entry = { actor, listener }
      watched.add(entry)
      return () => void watched.delete(entry)
    },

    [Symbol.dispose]() {
      clearInterval(timer)
      for (const stop of unsubscribe) stop()
    },
  }
}

export type ActorWatch = ReturnType<typeof createActorWatch>

/** Why the work of an actor must end; undefined if it may go on. */
function refusalOf(actor: UserActor | Visitor): FilemgrError | undefined {
  return problemIn(() => {
    if (actor.kind === 'visitor') actor.link()
    else actor.user()
    for (const check of actor.passed) check()
  })
}
