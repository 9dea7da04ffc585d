import type { Passkey } from '../../domain/accounts/factors.ts'
import type { Assertion, Attestation, PasskeyOptions } from '../../domain/accounts/passkey-messages.ts'

/** The site that passkeys belong to. */
export interface PasskeySite {
  /** Such as "https://files.example.org". */
  readonly origin: string
  /** Its host, without the port: browsers give a passkey to no other. */
  readonly host: string
}

type KnownPasskey = Pick<Passkey, 'id' | 'transports'>

export interface NewPasskeyOrder {
  readonly site: PasskeySite
  /** Shown by the browser. */
  readonly product: string
  readonly username: string
  /** base64url. */
  readonly handle: string
  readonly known: readonly KnownPasskey[]
}

/** EdDSA, ES256 and RS256: what all browsers and devices have. */
const ALGORITHMS = [-8, -7, -257]
/** Milliseconds that the browser waits for the person. */
const TIMEOUT = 120_000

/** Asks a browser for a new passkey that it can also offer without a name. */
export async function askForPasskey({
  site,
  product,
  username,
  handle,
  known,
}: NewPasskeyOrder): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return await generateRegistrationOptions({
    rpName: product,
    rpID: site.host,
    userName: username,
    userDisplayName: username,
    userID: bytesOf(handle),
    timeout: TIMEOUT,
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
}

export type CheckedPasskey = Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'>

/** The passkey that a browser has made for this challenge; undefined if the answer is not valid. */
export async function checkNewPasskey(
  site: PasskeySite,
  challenge: string,
  attestation: Attestation,
): Promise<CheckedPasskey | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const result = await verifyRegistrationResponse({
    response: { ...attestation, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    supportedAlgorithmIDs: ALGORITHMS,
    // A security key without a PIN is a second factor; signing in by it alone is refused then.
    requireUserVerification: false,
  }).catch(unlessMalformed)
  if (!result.verified) return undefined
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports: [...transports] }
}

/**
 * Asks a browser to sign with a passkey.
 *
 * @param known the passkeys of an account; none to let the browser offer all that it has for this site
 * @param isAlone nothing else is asked, so that the device must check the person, too
 */
export async function askForAssertion(
  site: PasskeySite,
  known: readonly KnownPasskey[],
  isAlone: boolean,
): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return await generateAuthenticationOptions({
    rpID: site.host,
    timeout: TIMEOUT,
    allowCredentials: known.map(({ id, transports }) => ({ id, transports })),
    userVerification: isAlone ? 'required' : 'preferred',
  })
}

/** The new counter of the passkey if it has signed this challenge; else undefined. */
export async function checkAssertion(
  site: PasskeySite,
  challenge: string,
  passkey: Passkey,
  assertion: Assertion,
  isAlone: boolean,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, publicKey, counter, transports } = passkey
  const result = await verifyAuthenticationResponse({
    response: { ...assertion, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    credential: { id, publicKey: bytesOf(publicKey), counter, transports },
    requireUserVerification: isAlone,
  }).catch(unlessMalformed)
  return result.verified ? result.authenticationInfo.newCounter : undefined
}

/** The challenge that a browser has answered, which only finds it: the signature proves that it was signed. */
export function challengeIn({ response: { clientDataJSON } }: Assertion | Attestation): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'base64url'))
}

/** The package throws plain errors for everything that is wrong with an answer. */
function unlessMalformed(error: unknown): {
  verified: false
  registrationInfo?: undefined
  authenticationInfo?: undefined
} {
  if (error instanceof Error) return { verified: false }
  throw error
}
