import type { Random } from './random.ts'

/** Secret scanners find tokens in repositories and logs by this prefix. */
const PREFIX = 'fmgr_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 is more than 2^256. */
const SECRET_LENGTH = 43
/** 62^6 is more than 2^32. */
const CHECK_LENGTH = 6
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}}$`)

/**
 * A new API token: the prefix, 256 random bits in base62, and a checksum. With the checksum, a scanner recognizes a token without
 * asking the server, and the server recognizes an incomplete copy.
 */
export function newApiToken(random: Pick<Random, 'below'>): string {
  const letters = Array.from({ length: SECRET_LENGTH }, () => ALPHABET.charAt(random.below(ALPHABET.length)))
  const secret = PREFIX + letters.join('')
  return secret + checkOf(secret)
}

/** True for any text with the prefix of API tokens, even a damaged token. */
export function claimsToBeApiToken(text: string): boolean {
  return text.startsWith(PREFIX)
}

export function isApiToken(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checkOf(text.slice(0, -CHECK_LENGTH)))
}

function checkOf(text: string): string {
  // zlib is loaded here, because every command imports this file and few need zlib.
  let rest = process.getBuiltinModule('node:zlib').crc32(text)
  let letters = ''
  while (letters.length < CHECK_LENGTH) {
    letters = ALPHABET.charAt(rest % ALPHABET.length) + letters
    rest = Math.floor(rest / ALPHABET.length)
  }
  return letters
}
