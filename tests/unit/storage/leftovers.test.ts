import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { Leftovers } from '../../../src/storage/local/leftovers.ts'
import { hold, HOLD_FOLDER } from '../../../src/storage/local/pin.ts'
import { movableClock } from '../../helpers/movable-clock.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const DAY = 24 * 60 * 60 * 1000
const STALE = '.abcdefghijkl.fm-tmp'

/** Looks at a folder once, so many milliseconds from now. */
async function look(path: string, later: number): Promise<void> {
  const leftovers = new Leftovers(movableClock(Date.now() + later))
  using folder = await hold(path, HOLD_FOLDER)
  await visited(leftovers, folder)
}

/** Disposing of it waits for the folder that it is at; the next turn lets it begin. */
async function visited(leftovers: Leftovers, folder: Awaited<ReturnType<typeof hold>>): Promise<void> {
  leftovers.visit(folder)
  await leftovers.settled()
}

it('a hidden file that nobody has written for a day is removed, and one that is younger stays', async () => {
  await using folder = await tempFolder({ [STALE]: 'x', 'a.txt': 'a' })
  await look(folder.path, DAY - 60_000)
  expect((await readdir(folder.path)).toSorted()).toEqual([STALE, 'a.txt'])
  await look(folder.path, DAY + 60_000)
  expect(await readdir(folder.path)).toEqual(['a.txt'])
})

it('nothing goes but plain files under exactly our names', async () => {
  const others = ['abcdefghijkl.fm-tmp', '.abc.fm-tmp', '.abcdefghijkl.fm-tmp.bak', '.hidden']
  await using folder = await tempFolder(Object.fromEntries(others.map((name) => [name, 'x'])))
  await mkdir(folder.at('.foldernnnnnn.fm-tmp'))
  await writeFile(folder.at('target'), 'kept')
  await symlink(folder.at('target'), folder.at('.linklinklink.fm-tmp'))
  const before = (await readdir(folder.path)).toSorted()
  await look(folder.path, 2 * DAY)
  expect((await readdir(folder.path)).toSorted()).toEqual(before)
})

it('a folder is looked at once a day, whatever is written there', async () => {
  await using folder = await tempFolder()
  const clock = movableClock(Date.now() + 2 * DAY)
  await using leftovers = new Leftovers(clock)
  using pin = await hold(folder.path, HOLD_FOLDER)
  await visited(leftovers, pin)
  await folder.fill({ [STALE]: 'x' })
  await visited(leftovers, pin)
  expect(await readdir(folder.path)).toEqual([STALE])
  clock.move(DAY)
  await visited(leftovers, pin)
  expect(await readdir(folder.path)).toEqual([])
})
