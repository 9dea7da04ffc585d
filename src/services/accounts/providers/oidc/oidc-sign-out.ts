import type { Session } from '../../../../domain/accounts/session.ts'
import { fail } from '../../../../domain/errors.ts'
import { EgressError } from '../../../../platform/network/egress.ts'
import type { Logger } from '../../../../platform/logging/logger.ts'
import type { LogoutTokens } from '../../../../platform/security/logout-token.ts'
import type { OpenId } from '../../../../platform/security/openid.ts'
import type { StoreDocument } from '../../../../store/document.ts'
import type { Store } from '../../../../store/store.ts'
import type { SessionBook } from '../../sessions/sessions.ts'
import { ownerOf } from '../provider-sign-in.ts'
import { failOpenId, sourceOf } from './oidc-source.ts'
import type { StartedSignIns } from './started-sign-ins.ts'

export interface OidcSignOutDeps {
  readonly store: Store<StoreDocument>
  readonly openId: OpenId
  readonly logoutTokens: LogoutTokens
  readonly started: Pick<StartedSignIns, 'isFirstNotice'>
  readonly sessions: Pick<SessionBook, 'endWhere'>
  readonly log: Logger
}

/** Signing out at the provider when somebody signs out here, and the other way round. */
export function createOidcSignOut({ store, openId, logoutTokens, started, sessions, log }: OidcSignOutDeps) {
  const oidcOf = (id: string | undefined) => {
    const found = store.snapshot().providers.find((provider) => provider.id === id)
    return found?.type === 'oidc' ? found : undefined
  }

  return {
    /**
     * Where the browser ends the session at the provider, too; undefined if there is none to end. Never fails: whoever signs out
     * here is signed out here.
     */
    async addressFor({ provider: id, idToken }: Session, returnTo: string): Promise<string | undefined> {
      const provider = oidcOf(id)
      if (provider?.signsOut !== true) return undefined
      try {
        return await openId.signOut(await sourceOf(provider), { returnTo, idToken })
      } catch (error) {
        log.warn({ provider: provider.id, err: error }, 'a session at a provider could not be ended')
        return undefined
      }
    },

    /**
     * Ends the sessions that a provider names (OpenID Connect Back-Channel Logout 1.0). Resolves with their number.
     *
     * @throws INVALID_INPUT for a token that is not one of this provider, or was used; UNAVAILABLE if its keys cannot be fetched
     */
    async endByProvider(id: string, token: string): Promise<number> {
      const provider = oidcOf(id) ?? fail('INVALID_INPUT', 'there is no such provider', { explained: true })
      const notice = await openId
        .keysOf(await sourceOf(provider))
        .then(
          async ({ issuer, url }) =>
            await logoutTokens.read(token, { issuer, audience: provider.clientId, keysUrl: url }),
        )
        .catch((error: unknown) => {
          if (error instanceof EgressError) fail('UNAVAILABLE', 'the keys of the provider cannot be fetched')
          return failOpenId(provider, error)
        })
      if (notice === undefined || !(await started.isFirstNotice(id, notice.id)))
        fail('INVALID_INPUT', 'this is no logout token of this provider', { explained: true })
      const { subject, sid } = notice
      const owner = subject === undefined ? undefined : ownerOf(store.snapshot().users, provider.issuer, subject)
      // Nobody here.
      if (subject !== undefined && owner === undefined) return 0
      const ended = await sessions.endWhere(
        (session) =>
          session.provider === id &&
          (owner === undefined || session.userId === owner.id) &&
          (sid === undefined || (session.providerSession ?? (owner && sid)) === sid),
      )
      if (ended > 0) log.info({ provider: id, sessions: ended }, 'a provider has ended sessions')
      return ended
    },
  }
}
