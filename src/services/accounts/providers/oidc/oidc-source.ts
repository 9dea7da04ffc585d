import type { OidcProvider, Provider } from '../../../../domain/accounts/provider.ts'
import { FilemgrError } from '../../../../domain/errors.ts'
import { OpenIdError, type OpenIdProblem, type OpenIdSource } from '../../../../platform/security/openid.ts'
import { secretOf } from '../provider-secret.ts'

/** @throws UNAVAILABLE if its secret is missing */
export async function sourceOf(provider: Readonly<OidcProvider>): Promise<OpenIdSource> {
  const { issuer, clientId, scopes } = provider
  return { issuer, clientId, clientSecret: await secretOf(provider), scopes: scopes.join(' ') }
}

export function enabledOidc(providers: readonly Provider[], id: string): OidcProvider | undefined {
  const found = providers.find((provider) => provider.id === id)
  return found?.type === 'oidc' && found.enabled ? found : undefined
}

/** A word for each problem, for which the page has a sentence. */
const REASONS = {
  away: 'providerAway',
  private: 'providerPrivate',
  refused: 'providerRefused',
  client: 'providerClient',
  clock: 'providerClock',
  invalid: 'providerInvalid',
} as const satisfies Record<OpenIdProblem, string>

/** @throws FilemgrError in plain words; errors of other kinds unchanged */
export function failOpenId({ name, issuer }: Pick<OidcProvider, 'name' | 'issuer'>, error: unknown): never {
  if (!(error instanceof OpenIdError)) throw error
  const { problem, message } = error
  const details = { reason: REASONS[problem], explained: true }
  const host = URL.canParse(issuer) ? new URL(issuer).host : issuer
  const texts: Record<OpenIdProblem, string> = {
    away: `${name} does not answer (${message})`,
    private: `${name} has the private address ${message}; to allow it, start the server with --sign-in-hosts ${host}`,
    refused: `${name} did not let you in (${message})`,
    client: `${name} does not accept this server (${message}): check client id, secret and redirect address`,
    clock: `the clocks of this server and of ${name} differ by more than five minutes`,
    invalid: `the answer of ${name} is not valid, so nobody was signed in`,
  }
  const isHere = problem === 'refused' || problem === 'invalid'
  throw new FilemgrError(isHere ? 'FORBIDDEN' : 'UNAVAILABLE', texts[problem], details, { cause: error })
}
