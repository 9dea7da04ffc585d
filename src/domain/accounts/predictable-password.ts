/** Sequences: the alphabet, digits, and the rows of a keyboard. */
const TRACKS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const SHORTEST = 8
const LONGEST_UNIT = 4
const FEWEST_RUNS = 3

/**
 * Long only to look at: one short unit again and again ("abcabcabcabc"), or nothing but runs of neighbours
 * ("123456qwerty", "abcdefghijkl"). No list holds all of them.
 */
export function isPredictable(password: string): boolean {
  const folded = password.toLowerCase()
  if (folded.length < SHORTEST) return false
  return isRepetition(folded) || runsIn(folded) * FEWEST_RUNS <= folded.length
}

function isRepetition(text: string): boolean {
  for (let size = 1; size <= LONGEST_UNIT && size * 2 <= text.length; size += 1) {
    const unit = text.slice(0, size)
    if (unit.repeat(Math.ceil(text.length / size)).startsWith(text)) return true
  }
  return false
}

/** How many pieces the text falls into where each character is the neighbour of the one before, in either direction. */
function runsIn(text: string): number {
  let [runs, direction] = [1, 0]
  for (let index = 1; index < text.length; index += 1) {
    const step = stepBetween(text.charAt(index - 1), text.charAt(index))
    const goesOn = step !== undefined && (direction === 0 || step === direction)
    direction = goesOn ? step : 0
    if (!goesOn) runs += 1
  }
  return runs
}

/** 1 forwards, -1 backwards, undefined when they are no neighbours. */
function stepBetween(one: string, other: string): number | undefined {
  for (const track of TRACKS) {
    if (track.includes(one + other)) return 1
    if (track.includes(other + one)) return -1
  }
  return undefined
}
