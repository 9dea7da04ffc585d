/** Sequences: the alphabet, digits, and the rows of a keyboard. */
const TRACKS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const MIN_LENGTH = 8
const MAX_UNIT = 4
/** Average length of runs from which a password is predictable. */
const MIN_RUN = 3

/**
 * True for long passwords with little entropy: one short unit repeated ("abcabcabcabc"), or runs of neighbouring keys
 * ("123456qwerty", "abcdefghijkl"). A list of common passwords cannot contain all of them.
 */
export function isPredictable(password: string): boolean {
  const folded = password.toLowerCase()
  if (folded.length < MIN_LENGTH) return false
  return isRepetition(folded) || runsIn(folded) * MIN_RUN <= folded.length
}

function isRepetition(text: string): boolean {
  for (let size = 1; size <= MAX_UNIT && size * 2 <= text.length; size += 1) {
    const unit = text.slice(0, size)
    if (unit.repeat(Math.ceil(text.length / size)).startsWith(text)) return true
  }
  return false
}

/** The number of runs: pieces in which each character is next to the previous one, all in the same direction. */
function runsIn(text: string): number {
  let [runs, direction] = [1, 0]
  for (let index = 1; index < text.length; index += 1) {
    const step = stepBetween(text.charAt(index - 1), text.charAt(index))
    const continues = step !== undefined && (direction === 0 || step === direction)
    direction = continues ? step : 0
    if (!continues) runs += 1
  }
  return runs
}

/** 1 forwards, -1 backwards, undefined if the characters are not neighbours. */
function stepBetween(a: string, b: string): number | undefined {
  for (const track of TRACKS) {
    if (track.includes(a + b)) return 1
    if (track.includes(b + a)) return -1
  }
  return undefined
}
