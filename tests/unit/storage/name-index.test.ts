import { closeSync, constants, fstatSync, mkdirSync, openSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { NameIndex, split } from '../../../src/storage/local/worker/name-index.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const LATER = 60 * 60_000
const FILES = { 'a/one.txt': '', 'a/Größe.TXT': '', 'a/inner/': '', 'b/two.txt': '' }

/** An index for which everything on the disk is an hour old. */
const indexOf = (max = 1_000_000, now = () => Date.now() + LATER) => new NameIndex({ max, now })

/** What the index says of a folder now: its names, or nothing. */
function look(index: NameIndex, path: string, isRead = false): string[] | undefined {
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
  it('knows a folder that was read, with what its names are', async () => {
    await using folder = await tempFolder(FILES)
    const index = indexOf()
    expect(look(index, folder.at('a'))).toBeUndefined()
    const names = look(index, folder.at('a'), true)
    expect(names).toHaveLength(3)
    expect(look(index, folder.at('a'))).toEqual(names)
    expect(look(index, folder.at('b'))).toBeUndefined()
  })

  it.each([
    ['a file comes', (at: (name: string) => string) => writeFileSync(at('a/new.txt'), '')],
    ['a file goes', (at: (name: string) => string) => rmSync(at('a/one.txt'))],
    [
      'a file turns into a folder',
      (at: (name: string) => string) => {
        rmSync(at('a/one.txt'))
        mkdirSync(at('a/one.txt'))
      },
    ],
  ])('knows nothing any more when %s, even where its time is set back', async (_what, change) => {
    await using folder = await tempFolder(FILES)
    const index = indexOf()
    const then = new Date(1_700_000_000_000)
    utimesSync(folder.at('a'), then, then)
    look(index, folder.at('a'), true)
    expect(look(index, folder.at('a'))).toBeDefined()
    change(folder.at)
    utimesSync(folder.at('a'), then, then)
    expect(look(index, folder.at('a'))).toBeUndefined()
  })

  it('does not rely on a folder that changed a moment ago: it could change again in the same step of its clock', async () => {
    await using folder = await tempFolder(FILES)
    const index = indexOf(1_000_000, () => Date.now() + 1000)
    look(index, folder.at('a'), true)
    expect(look(index, folder.at('a'))).toBeUndefined()
  })

  it('remembers nothing of file systems that do not tell of changes', () => {
    const index = indexOf()
    look(index, '/proc/sys', true)
    expect(look(index, '/proc/sys')).toBeUndefined()
    expect(index.bytes).toBe(0)
  })

  it('keeps what is used where not everything has room, and lets go of what is not', async () => {
    await using folder = await tempFolder(FILES)
    let time = Date.now() + LATER
    const index = indexOf(400, () => time)
    look(index, folder.at('a'), true)
    look(index, folder.at('b'), true)
    expect([look(index, folder.at('a')), look(index, folder.at('b'))]).toEqual([expect.anything(), undefined])
    time += 61_000
    look(index, folder.at('b'), true)
    expect([look(index, folder.at('a')), look(index, folder.at('b'))]).toEqual([undefined, ['two.txt']])
    expect(index.bytes).toBeLessThanOrEqual(400)
  })
})
