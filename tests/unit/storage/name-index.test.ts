import { closeSync, constants, fstatSync, mkdirSync, openSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { NameIndex, split } from '../../../src/storage/local/worker/name-index.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const LATER = 60 * 60_000
const FILES = { 'a/one.txt': '', 'a/Größe.TXT': '', 'a/inner/': '', 'b/two.txt': '' }

/** An index for which everything on the disk is an hour old. */
const indexOf = (max = 1_000_000, now = () => Date.now() + LATER) => new NameIndex({ max, now })

/** The names of a folder that the index knows; with `isRead`, the index reads an unknown folder. */
function knownNames(index: NameIndex, path: string, isRead = false): string[] | undefined {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const stats = fstatSync(fd, { bigint: true })
    const content = index.known(stats) ?? (isRead ? index.read({ fd }, stats) : undefined)
    return content && split(content.names).toSorted()
  } finally {
    closeSync(fd)
  }
}

describe('an index of names', () => {
  it('knows a folder that it has read, with its names', async () => {
    await using folder = await tempFolder(FILES)
    const index = indexOf()
    expect(knownNames(index, folder.at('a'))).toBeUndefined()
    const names = knownNames(index, folder.at('a'), true)
    expect(names).toHaveLength(3)
    expect(knownNames(index, folder.at('a'))).toEqual(names)
    expect(knownNames(index, folder.at('b'))).toBeUndefined()
  })

  it.each([
    ['a file is created', (at: (name: string) => string) => writeFileSync(at('a/new.txt'), '')],
    ['a file is removed', (at: (name: string) => string) => rmSync(at('a/one.txt'))],
    [
      'a file turns into a folder',
      (at: (name: string) => string) => {
        rmSync(at('a/one.txt'))
        mkdirSync(at('a/one.txt'))
      },
    ],
  ])('knows nothing of a folder any more when %s, even if its time is set back', async (_change, change) => {
    await using folder = await tempFolder(FILES)
    const index = indexOf()
    const then = new Date(1_700_000_000_000)
    utimesSync(folder.at('a'), then, then)
    knownNames(index, folder.at('a'), true)
    expect(knownNames(index, folder.at('a'))).toBeDefined()
    change(folder.at)
    utimesSync(folder.at('a'), then, then)
    expect(knownNames(index, folder.at('a'))).toBeUndefined()
  })

  it('does not rely on a folder that changed a moment ago: it could change again in the same step of its clock', async () => {
    await using folder = await tempFolder(FILES)
    const index = indexOf(1_000_000, () => Date.now() + 1000)
    knownNames(index, folder.at('a'), true)
    expect(knownNames(index, folder.at('a'))).toBeUndefined()
  })

  it('remembers nothing of file systems that do not record changes', () => {
    const index = indexOf()
    knownNames(index, '/proc/sys', true)
    expect(knownNames(index, '/proc/sys')).toBeUndefined()
    expect(index.bytes).toBe(0)
  })

  it('keeps used folders if not all have room, and drops unused ones', async () => {
    await using folder = await tempFolder(FILES)
    let time = Date.now() + LATER
    const index = indexOf(400, () => time)
    knownNames(index, folder.at('a'), true)
    knownNames(index, folder.at('b'), true)
    expect([knownNames(index, folder.at('a')), knownNames(index, folder.at('b'))]).toEqual([
      expect.anything(),
      undefined,
    ])
    time += 61_000
    knownNames(index, folder.at('b'), true)
    expect([knownNames(index, folder.at('a')), knownNames(index, folder.at('b'))]).toEqual([undefined, ['two.txt']])
    expect(index.bytes).toBeLessThanOrEqual(400)
  })
})
