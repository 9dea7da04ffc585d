/**
 * A text whose plain comparison gives the natural order of a lower-cased name: by UTF-8 bytes, where both have digits by the
 * number ("file2" before "file10"), of any length. A name that ends goes before one that goes on. Zeros before a number
 * count at the end of a name only ("file02" before "file2"); names that differ in others have the same key.
 *
 * A key, not a comparison of two names: that one is slower, and where it looks at zeros too early it runs in circles
 * ("2" before "2b", "2b" before "02bc", "02bc" before "2"), so that a listing depends on the order on the disk.
 */
export function naturalKey(name: string): string {
  const key = DIGIT.test(name) ? name.replace(NUMBERS, numberKey) : name
  return LATE_UNIT.test(key) ? key.replace(LATE_UNITS, byCodePoint) : key
}

/** Order of the UTF-8 bytes, which is the order of code points: UTF-16 would put an emoji before U+FB01. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let step = 0; step < length; step += 1) {
    const left = a.charCodeAt(step)
    const right = b.charCodeAt(step)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

const DIGIT = /\d/
const NUMBERS = /\d+/g
const LATE_UNIT = /[\ud800-\uffff]/
const LATE_UNITS = /[\ud800-\uffff]/g

/** "0", how many digits there are without zeros before them, and these; at the end of a name all digits after a NUL. */
function numberKey(digits: string, start: number, name: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '')
  const end = start + digits.length === name.length ? `\0${digits}` : ''
  return `0${String.fromCharCode(significant.length)}${significant}${end}`
}

function byCodePoint(unit: string): string {
  return String.fromCharCode(rank(unit.charCodeAt(0)))
}

/** Moves the surrogates behind all other code units, which close the gap. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000
}
