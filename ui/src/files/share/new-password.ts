const CONSONANTS = 'bdfghjklmnprstvz'
const VOWELS = 'aeiou'
const SYLLABLES = 8
const COUNT = CONSONANTS.length * VOWELS.length

/**
 * A password that can be read out in any language: "tavo-kemi-runa-zole", 50 bits. The server
 * allows a few guesses a minute.
 */
export function newPassword(
  fill: (bytes: Uint8Array<ArrayBuffer>) => void = crypto.getRandomValues.bind(crypto),
): string {
  const syllables = Array.from({ length: SYLLABLES }, () => syllableOf(randomBelow(COUNT, fill)))
  return syllables.join('').replace(/(.{4})(?=.)/g, '$1-')
}

function syllableOf(index: number): string {
  return CONSONANTS.charAt(Math.floor(index / VOWELS.length)) + VOWELS.charAt(index % VOWELS.length)
}

/** Rejects bytes that would make some syllables more likely than others. */
function randomBelow(count: number, fill: (bytes: Uint8Array<ArrayBuffer>) => void): number {
  const byte = new Uint8Array(1)
  const limit = 256 - (256 % count)
  do fill(byte)
  while ((byte[0] ?? 0) >= limit)
  return (byte[0] ?? 0) % count
}
