import { describe, expect, it } from 'vitest'
import { choose, lastChoice, type Chosen } from '../../../../../ui/src/files/actions/prompts/conflict-prompt.tsx'

describe('the answers to name conflicts', () => {
  const none: Chosen = new Map()

  it('default to keeping both', () => {
    expect(lastChoice(none)).toBe('keepBoth')
  })

  it('remember the last answer for all', () => {
    const first = choose(none, ['a'], 'replace')
    const second = choose(first, ['b'], 'skip')
    expect(lastChoice(second)).toBe('skip')
    expect(lastChoice(choose(second, ['a'], 'replace'))).toBe('replace')
  })

  it('apply to all at once', () => {
    expect([...choose(choose(none, ['a'], 'replace'), ['a', 'b'], 'skip')]).toEqual([
      ['a', 'skip'],
      ['b', 'skip'],
    ])
  })
})
