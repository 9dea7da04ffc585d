import { scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Random } from './random.ts'

/** Crockford's Base32: without letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const GROUPS = 3
const GROUP_SIZE = 4
const HASH_BYTES = 32

const derive = promisify<string, string, number, Buffer>(scrypt)

/** 60 random bits, such as "4k7p-9wqd-tm2x". */
export function newRecoveryCode(random: Random): string {
  const group = () => Array.from({ length: GROUP_SIZE }, () => ALPHABET.charAt(random.below(ALPHABET.length))).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** Slow, because the codes are short enough to be written down. The same salt for all codes of an account needs one hash per guess. */
export async function hashRecoveryCode(code: string, salt: string): Promise<string> {
  return (await derive(plainCode(code), salt, HASH_BYTES)).toString('base64url')
}

/** Where in the list a hash is; -1 if it is not. The time does not reveal which one is similar. */
export function findRecoveryHash(hashes: readonly string[], hash: string): number {
  const wanted = Buffer.from(hash)
  return hashes.map((each) => isEqual(Buffer.from(each), wanted)).indexOf(true)
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

/** As people type it: in any case, with or without dashes, and letters for digits. */
function plainCode(code: string): string {
  const letters = code.toLowerCase().replaceAll(/[\s-]/g, '')
  return letters.replaceAll('o', '0').replaceAll(/[il]/g, '1')
}
