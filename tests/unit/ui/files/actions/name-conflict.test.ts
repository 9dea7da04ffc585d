import { describe, expect, it } from 'vitest'
import { choose, lastChoice, type Chosen } from '../../../../../ui/src/files/actions/transfers/name-conflict.ts'

describe('what is chosen for names that are taken', () => {
  const none: Chosen = new Map()

  it('is to keep both until something else is chosen', () => {
    expect(lastChoice(none)).toBe('keepBoth')
  })

  it('was chosen last for the name that was changed last, whichever came first', () => {
    const first = choose(none, ['a'], 'replace')
    const second = choose(first, ['b'], 'skip')
    expect(lastChoice(second)).toBe('skip')
    expect(lastChoice(choose(second, ['a'], 'replace'))).toBe('replace')
  })

  it('is the same for all of them at once', () => {
    expect([...choose(choose(none, ['a'], 'replace'), ['a', 'b'], 'skip')]).toEqual([
      ['a', 'skip'],
      ['b', 'skip'],
    ])
  })
})
