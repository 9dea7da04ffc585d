import { describe, expect, it } from 'vitest'
import {
  choose,
  isLarger,
  isNewer,
  lastChoice,
  type Chosen,
} from '../../../../../ui/src/files/actions/prompts/conflict-prompt.tsx'

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

describe('the versions of a name conflict', () => {
  const version = (modified: string | number, size = 1, isDir = false) => ({ isDir, size, modified })

  it('are newer by two seconds or more, which every disk can tell apart', () => {
    const noon = version('2026-01-02T12:00:00Z')
    expect(isNewer(version(Date.parse('2026-01-02T12:00:02Z')), noon)).toBe(true)
    expect(isNewer(version('2026-01-02T12:00:01.9Z'), noon)).toBe(false)
    expect(isNewer(noon, version('2026-01-02T13:00:00Z'))).toBe(false)
    expect([isNewer(version(''), noon), isNewer(noon, version(''))]).toEqual([false, false])
  })

  it('are larger if both are files', () => {
    expect([isLarger(version(0, 2), version(0)), isLarger(version(0), version(0))]).toEqual([true, false])
    expect([isLarger(version(0, 2, true), version(0)), isLarger(version(0, 2), version(0, 1, true))]).toEqual([
      false,
      false,
    ])
  })
})
