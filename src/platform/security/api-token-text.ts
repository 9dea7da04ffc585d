import type { Random } from './random.ts'

/** Known to secret scanners, which find tokens in repositories and logs by it. */
const PREFIX = 'fmgr_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 is more than 2^256. */
const SECRET_LENGTH = 43
/** 62^6 is more than 2^32. */
const CHECK_LENGTH = 6
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}}$`)

/**
 * A new API token: the prefix, 256 random bits in base62, and a checksum. The checksum tells a scanner without asking the server
 * that a find is a token, and a person that a copy is incomplete.
 */
export function newApiToken(random: Pick<Random, 'below'>): string {
  const letters = Array.from({ length: SECRET_LENGTH }, () => ALPHABET.charAt(random.below(ALPHABET.length)))
  const secret = PREFIX + letters.join('')
  return secret + checkOf(secret)
}

/** True for everything that claims to be an API token, also for a damaged one. */
export function claimsToBeApiToken(text: string): boolean {
  return text.startsWith(PREFIX)
}

export function isApiToken(text: string): boolean {
  return SHAPE.test(text) && text.endsWith(checkOf(text.slice(0, -CHECK_LENGTH)))
}

function checkOf(text: string): string {
  // Loaded here, because every command reads this file and few need zlib.
  let rest = process.getBuiltinModule('node:zlib').crc32(text)
  let letters = ''
  while (letters.length < CHECK_LENGTH) {
    letters = ALPHABET.charAt(rest % ALPHABET.length) + letters
    rest = Math.floor(rest / ALPHABET.length)
  }
  return letters
}
