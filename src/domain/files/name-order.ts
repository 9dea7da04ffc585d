import { accentKey, compareBytes, compareKeys, nameKey } from './listing-order.ts'

/**
 * Compares names of anything as listings compare those of files: accented letters are beside plain ones, and only among names that
 * are the same otherwise do accents count, then the bytes. Remembers the keys, because a sort compares each name many times.
 */
export function createNameOrder(): (one: string, other: string) => number {
  const keys = new Map<string, string>()
  const keyOf = (name: string): string => {
    const key = keys.get(name) ?? nameKey(name)
    keys.set(name, key)
    return key
  }
  return (one, other) =>
    compareKeys(keyOf(one), keyOf(other)) || compareKeys(accentKey(one), accentKey(other)) || compareBytes(one, other)
}
