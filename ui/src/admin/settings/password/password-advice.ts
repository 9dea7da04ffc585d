import { isPredictable } from '../../../../../src/domain/predictable-password.ts'

export type PasswordAdvice = 'none' | 'short' | 'predictable' | 'fair' | 'good' | 'strong'

/** Signs to choose from, for each kind of sign that is used. */
const KINDS: readonly [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[^a-zA-Z0-9]/, 32],
]
const GOOD_BITS = 64
const STRONG_BITS = 90

/**
 * What can be said of a password while it is typed. `least` is in bytes of UTF-8, as the server counts; undefined where the
 * page does not know it. The server looks into lists besides.
 */
export function passwordAdvice(password: string, least: number | undefined): PasswordAdvice {
  if (password === '') return 'none'
  if (new TextEncoder().encode(password).length < (least ?? 0)) return 'short'
  if (isPredictable(password)) return 'predictable'
  const choices = KINDS.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0)
  // A sign that comes again adds little.
  const bits = (new Set(password).size + password.length / 2) * (2 / 3) * Math.log2(choices)
  return bits >= STRONG_BITS ? 'strong' : bits >= GOOD_BITS ? 'good' : 'fair'
}
