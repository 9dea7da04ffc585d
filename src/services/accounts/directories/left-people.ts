import { issuerOf, type LdapProvider } from '../../../domain/accounts/provider.ts'
import { isFilemgrError } from '../../../domain/errors.ts'
import type { Session } from '../../../domain/accounts/session.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Collection, Store } from '../../../store/store.ts'
import type { SessionBook } from '../sessions/sessions.ts'
import { secretOf } from '../providers/provider-secret.ts'
import { isDirect, stillThere } from './directory-person.ts'

/** People at a time, within the time limit of the directory. */
const BATCH = 50

export interface LeftPeopleDeps {
  readonly store: Store<StoreDocument>
  readonly stored: Pick<Collection<Session>, 'all'>
  readonly sessions: Pick<SessionBook, 'endWhere'>
  readonly log: Logger
}

/**
 * Ends the sessions of people whom their directory does not have any more, or whom its filter leaves out, such as disabled ones.
 * A directory that is away ends none: otherwise everybody would be signed out when it restarts. Without an account that searches,
 * nothing can be found out.
 */
export function createLeftPeople({ store, stored, sessions, log }: LeftPeopleDeps) {
  const sweep = async (provider: LdapProvider, signal: AbortSignal): Promise<void> => {
    const issuer = issuerOf(provider)
    const signedIn = new Set(
      stored.all().flatMap((session) => (session.provider === provider.id ? session.userId : [])),
    )
    const people = new Map<UserId, string[]>()
    for (const { id, identities = [] } of store.snapshot().users) {
      const subjects = identities.flatMap((identity) => (identity.issuer === issuer ? identity.subject : []))
      if (signedIn.has(id)) people.set(id, subjects)
    }
    const all = [...people.values()].flat()
    const there = new Set<string>()
    const readerPassword = await secretOf(provider)
    for (let at = 0; at < all.length && !signal.aborted; at += BATCH) {
      for (const subject of await stillThere(provider, readerPassword, all.slice(at, at + BATCH))) there.add(subject)
    }
    if (signal.aborted) return
    const gone = new Set([...people].flatMap(([id, subjects]) => (subjects.some((one) => there.has(one)) ? [] : id)))
    if (gone.size === 0) return
    await sessions.endWhere((session) => session.provider === provider.id && gone.has(session.userId))
    log.info({ provider: provider.id, users: [...gone] }, 'people have left a directory; their sessions were ended')
  }

  return {
    async sweep(signal: AbortSignal): Promise<void> {
      for (const provider of store.snapshot().providers) {
        if (provider.type !== 'ldap' || !provider.enabled || isDirect(provider)) continue
        try {
          await sweep(provider, signal)
        } catch (error) {
          if (!isFilemgrError(error, 'UNAVAILABLE')) throw error
          log.warn({ provider: provider.id, problem: error.message }, 'a directory could not be asked who has left')
        }
      }
    },
  }
}
