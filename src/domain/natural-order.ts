/**
 * Natural order of two names that were lower-cased: by UTF-8 bytes, where both have digits by the number ("file2" before
 * "file10"). Equal numbers of different length go on with the rest, and where a name ends there its bytes decide.
 *
 * @returns negative, zero or positive
 */
export function compareNatural(a: string, b: string): number {
  let i = 0
  let j = 0
  for (;;) {
    while (i < a.length && j < b.length && a.charCodeAt(i) === b.charCodeAt(j) && !isDigit(a.charCodeAt(i))) {
      i += 1
      j += 1
    }
    if (i === a.length || j === b.length) return a.length - i - (b.length - j)
    const endA = digitsEnd(a, i)
    const endB = digitsEnd(b, j)
    if (endA === i || endB === j) return compareBytes(a, b, i, j)
    const difference = compareNumbers(a, b, i, endA, j, endB)
    if (difference !== 0) return difference
    if (endA === a.length || endB === b.length) return compareBytes(a, b, i, j)
    i = endA
    j = endB
  }
}

/** Order of the UTF-8 bytes, which is the order of code points: UTF-16 would put an emoji before U+FB01. */
export function compareBytes(a: string, b: string, fromA = 0, fromB = 0): number {
  const length = Math.min(a.length - fromA, b.length - fromB)
  for (let step = 0; step < length; step += 1) {
    const left = a.charCodeAt(fromA + step)
    const right = b.charCodeAt(fromB + step)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - fromA - (b.length - fromB)
}

/** Moves the surrogates behind all other code units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2800 : unit
}

function compareNumbers(a: string, b: string, i: number, endA: number, j: number, endB: number): number {
  while (i < endA - 1 && a.charCodeAt(i) === ZERO) i += 1
  while (j < endB - 1 && b.charCodeAt(j) === ZERO) j += 1
  const longer = endA - i - (endB - j)
  if (longer !== 0) return longer
  for (; i < endA; i += 1, j += 1) {
    const difference = a.charCodeAt(i) - b.charCodeAt(j)
    if (difference !== 0) return difference
  }
  return 0
}

const ZERO = 48

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= 57
}

function digitsEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && isDigit(text.charCodeAt(end))) end += 1
  return end
}
