import type { Actor } from '../../../domain/accounts/actor.ts'
import type { Provider } from '../../../domain/accounts/provider.ts'
import type { Session, SessionView } from '../../../domain/accounts/session.ts'

/** A session as its owner and administrators see it, with the name of the provider. */
export function sessionViewOf(
  session: Session,
  username: string,
  actor: Actor,
  providers: readonly Pick<Provider, 'id' | 'name'>[],
): SessionView {
  const { family, method, provider, factor, userId, signedInAt, lastSeenAt, expiresAt, address, userAgent } = session
  const iso = (time: number) => new Date(time).toISOString()
  return {
    id: family,
    userId,
    username,
    current: actor.kind === 'user' && actor.session?.family === family,
    method,
    ...(provider !== undefined && { provider: providers.find(({ id }) => id === provider)?.name ?? provider }),
    ...(factor !== undefined && { factor }),
    signedInAt: iso(signedInAt),
    lastSeenAt: iso(lastSeenAt),
    expiresAt: iso(expiresAt),
    address,
    userAgent,
  }
}
