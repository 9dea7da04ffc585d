/**
 * A text whose plain comparison gives the natural order of a lower-cased name: a number becomes "0", how many digits it has,
 * and its digits without leading zeros. Much faster than comparing numbers again in each comparison.
 *
 * Equal to `compareNatural` except where a name ends with a number that another name has with other zeros in front: see
 * `needsExactOrder`.
 */
export function naturalKey(name: string): string {
  const key = DIGIT.test(name) ? name.replace(NUMBERS, numberKey) : name
  return LATE_UNIT.test(key) ? key.replace(LATE_UNITS, byCodePoint) : key
}

/** True when keys may order these lower-cased names wrongly. */
export function needsExactOrder(names: readonly string[]): boolean {
  return names.some((name) => ENDS_WITH_NUMBER.test(name)) && names.some((name) => PADDED_NUMBER.test(name))
}

const DIGIT = /\d/
const NUMBERS = /\d+/g
const ENDS_WITH_NUMBER = /\d$/
const PADDED_NUMBER = /(?:^|\D)0\d/
const LATE_UNIT = /[\ud800-\uffff]/
const LATE_UNITS = /[\ud800-\uffff]/g

function numberKey(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '')
  return `0${String.fromCharCode(significant.length)}${significant}`
}

/** UTF-16 orders an emoji before U+E000 to U+FFFF, the bytes of UTF-8 after them. */
function byCodePoint(unit: string): string {
  const code = unit.charCodeAt(0)
  return String.fromCharCode(code >= 0xe000 ? code - 0x800 : code + 0x2000)
}
