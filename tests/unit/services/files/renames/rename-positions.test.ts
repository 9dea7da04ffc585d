import { describe, expect, it } from 'vitest'
import { parseVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { RenamedEntry } from '../../../../../src/domain/automation/job-record.ts'
import { locate } from '../../../../../src/services/files/renames/rename-positions.ts'

const FOLDER = parseVirtualPath('/p')
const inode = (number: number) => ({ device: '1', inode: String(number), birth: '' })

/** Where three entries of a cycle are if the folder has these inodes by name. */
async function found(present: Record<string, number>, entries = CYCLE, parked = {}) {
  const names = new Map(Object.entries(present).map(([name, number]) => [`/p/${name}`, inode(number)]))
  const { names: positions, surplus } = await locate(
    { entryAt: async (path) => names.get(path) },
    FOLDER,
    entries,
    parked,
  )
  return {
    names: entries.map((entry) => positions.get(entry)),
    surplus: surplus.map(({ name, of }) => [name, positions.get(of)]),
  }
}

const CYCLE: RenamedEntry[] = [
  { from: 'a', to: 'b', temporary: 'a(1)', entry: inode(1) },
  { from: 'b', to: 'c', entry: inode(2) },
  { from: 'c', to: 'a', entry: inode(3) },
]

describe('the entries of a batch rename that was interrupted', () => {
  it('are found under any of their names', async () => {
    expect(await found({ a: 1, b: 2, c: 3 })).toEqual({ names: ['a', 'b', 'c'], surplus: [] })
    expect(await found({ 'a(1)': 1, b: 2, c: 3 })).toEqual({ names: ['a(1)', 'b', 'c'], surplus: [] })
    expect(await found({ 'a(1)': 1, b: 2, a: 3 })).toEqual({ names: ['a(1)', 'b', 'a'], surplus: [] })
    expect(await found({ b: 1, c: 2, a: 3 })).toEqual({ names: ['b', 'c', 'a'], surplus: [] })
    expect(await found({ x: 1, b: 2, c: 3 }, CYCLE, { a: 'x' })).toEqual({ names: ['x', 'b', 'c'], surplus: [] })
  })

  it('are not those that have taken their names since', async () => {
    expect(await found({ a: 9, b: 2, c: 3 })).toEqual({ names: [undefined, 'b', 'c'], surplus: [] })
  })

  it('have two names if the process was killed between getting the new one and losing the old one', async () => {
    expect(await found({ 'a(1)': 1, b: 2, c: 3, a: 3 })).toEqual({ names: ['a(1)', 'b', 'a'], surplus: [['c', 'a']] })
  })

  it('may be hard links of one file', async () => {
    const links: RenamedEntry[] = [
      { from: 'x', to: 'y', temporary: 'x(1)', entry: inode(1) },
      { from: 'y', to: 'x', entry: inode(1) },
    ]
    expect(await found({ x: 1, y: 1 }, links)).toEqual({ names: ['y', 'x'], surplus: [] })
    expect(await found({ 'x(1)': 1, y: 1, x: 1 }, links)).toEqual({ names: ['y', 'x'], surplus: [['x(1)', 'y']] })
    expect(await found({ 'x(1)': 1, y: 1 }, links)).toEqual({ names: ['x(1)', 'y'], surplus: [] })
  })

  it('are not found in a bucket, whose objects have no identity', async () => {
    const [first, ...others] = CYCLE
    const unknown = { from: first?.from ?? '', to: first?.to ?? '' }
    expect((await found({ b: 1, c: 2, a: 3 }, [unknown, ...others])).names).toEqual([undefined, 'c', 'a'])
  })
})
