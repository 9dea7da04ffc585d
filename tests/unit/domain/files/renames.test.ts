import { describe, expect, it } from 'vitest'
import { planRenames, type Rename, renameSteps } from '../../../../src/domain/files/renames/renames.ts'

const to = (pairs: Readonly<Record<string, string>>): Rename[] =>
  Object.entries(pairs).map(([from, name]) => ({ from, to: name }))

function problems(pairs: Readonly<Record<string, string>>, ...existing: string[]): (string | undefined)[] {
  const names = new Set([...Object.keys(pairs), ...existing])
  return planRenames(to(pairs), (name) => names.has(name)).map(({ problem }) => problem)
}

/** Renames names in a set, as a disk would: nothing is overwritten. */
function renamed(pairs: Readonly<Record<string, string>>): Record<string, string> {
  const content = new Map(Object.keys(pairs).map((name) => [name, name]))
  for (const { rename, part } of renameSteps(to(pairs))) {
    const [from, target] = [part === 'in' ? 'aside' : rename.from, part === 'out' ? 'aside' : rename.to]
    if (content.has(target)) throw new Error(`${target} is taken`)
    content.set(target, content.get(from) ?? '')
    content.delete(from)
  }
  return Object.fromEntries([...content].map(([name, original]) => [original, name]))
}

describe('the plan of a batch rename', () => {
  it('finds names that several entries would get, even if one of them keeps its name', () => {
    expect(problems({ a: 'x', b: 'x', c: 'y' })).toEqual(['twice', 'twice', undefined])
    expect(problems({ a: 'a', b: 'a' })).toEqual([undefined, 'twice'])
  })

  it('finds names of entries that stay, but not of those that are renamed', () => {
    expect(problems({ a: 'b', b: 'c', c: 'd' }, 'd')).toEqual([undefined, undefined, 'taken'])
    expect(problems({ a: 'b', b: 'a' })).toEqual([undefined, undefined])
    expect(problems({ a: 'a' }, 'b')).toEqual([undefined])
  })

  it.each([
    ['', 'empty'],
    ['a/b', 'slash'],
    ['..', 'dots'],
    ['a\nb', 'controls'],
    ['\ud800', 'controls'],
    ['ä'.repeat(128), 'tooLong'],
  ])('refuses the name %j', (name, problem) => {
    expect(problems({ a: name })).toEqual([problem])
  })
})

describe('the steps of a batch rename', () => {
  it('free each name before it is taken', () => {
    const chain = { a1: 'a2', a2: 'a3', a3: 'a4' }
    expect(renamed(chain)).toEqual(chain)
    const reversed = Object.fromEntries(Object.entries(chain).reverse())
    expect(renamed(reversed)).toEqual(reversed)
  })

  it('swap two names and rotate cycles, and leave unchanged names alone', () => {
    const pairs = { a: 'b', b: 'a', c: 'd', d: 'e', e: 'c', f: 'g', h: 'h' }
    expect(renamed(pairs)).toEqual(pairs)
    expect(renameSteps(to({ h: 'h' }))).toEqual([])
  })

  it('are as many as the renames in a long chain', () => {
    const chain = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`p${index}`, `p${index + 1}`]))
    expect(renameSteps(to(chain))).toHaveLength(5000)
    expect(renamed(chain)).toEqual(chain)
  })
})
