/** Seconds. */
const PERIOD = 30
/** Steps by which the clock of the phone may differ. */
const SKEW = 1
const SECRET_BYTES = 20

/** A new secret, in Base32. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await import('otpauth')
  return new Secret({ size: SECRET_BYTES }).base32
}

/** The address that authenticator apps read from a QR code. */
export async function totpUri(secret: string, issuer: string, label: string): Promise<string> {
  const { TOTP } = await import('otpauth')
  // A colon would end the name of the issuer.
  return new TOTP({ secret, issuer: issuer.replaceAll(':', ' '), label, period: PERIOD }).toString()
}

/** The time step of a code of six digits; undefined if it is wrong at this time (ms). Compares in constant time. */
export async function totpStep(secret: string, code: string, now: number): Promise<number | undefined> {
  const { Secret, TOTP } = await import('otpauth')
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD })
  const delta = totp.validate({ token, timestamp: now, window: SKEW })
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta
}
