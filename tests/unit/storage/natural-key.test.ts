import { describe, expect, it } from 'vitest'
import { compareNatural } from '../../../src/domain/natural-order.ts'
import { naturalKey, needsExactOrder } from '../../../src/storage/local/worker/natural-key.ts'

const PIECES = ['a', 'b', '0', '00', '1', '9', '10', '010', '.', '-', ' ', 'ä', '\ufb01', '😀', '\u{1f600}x', 'z']

/** Every name of up to three pieces. */
function* names(depth = 3): Generator<string> {
  for (const piece of PIECES) {
    yield piece
    if (depth > 1) for (const rest of names(depth - 1)) yield piece + rest
  }
}

describe('natural keys', () => {
  it('order names as the comparison does, where they may be used', () => {
    const all = [...new Set(names())].filter((_, i) => i % 7 === 0).map((name) => `${name}.txt`)
    expect(needsExactOrder(all)).toBe(false)
    const keys = all.map(naturalKey)
    let differences = 0
    for (let a = 0; a < all.length; a += 1) {
      for (let b = 0; b < all.length; b += 1) {
        const [left = '', right = ''] = [keys[a], keys[b]]
        const byKey = left < right ? -1 : left > right ? 1 : 0
        if (byKey !== Math.sign(compareNatural(all[a] ?? '', all[b] ?? ''))) differences += 1
      }
    }
    expect(differences).toBe(0)
  })

  it('are not used where a name ends in a number and any has zeros before one', () => {
    expect(needsExactOrder(['file2', 'file02b'])).toBe(true)
    expect(needsExactOrder(['file2', 'file10'])).toBe(false)
    expect(needsExactOrder(['file2.txt', 'file02.txt'])).toBe(false)
    expect(needsExactOrder(['file0', 'file100'])).toBe(false)
  })
})
