import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto'

const BYTES = 96

/**
 * A token of 128 characters (base64url) that always comes out the same from a key and a text, and tells nothing about them:
 * HKDF with HMAC-SHA-256 (RFC 5869). It need not be stored anywhere.
 *
 * @param key base64url
 */
export function deriveToken(key: string, ...parts: readonly string[]): string {
  const info = JSON.stringify(parts)
  const derived = hkdfSync(
    'sha256',
    Buffer.from(key, 'base64url'),
    '',
    createHash('sha256').update(info).digest(),
    BYTES,
  )
  return Buffer.from(derived).toString('base64url')
}

/** Takes as long wherever the two differ. */
export function equalTexts(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/** SHA-256 of a text, in hex. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
