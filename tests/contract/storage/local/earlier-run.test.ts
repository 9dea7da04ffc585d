import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EntryIdentity } from '../../../../src/domain/files/entry-identity.ts'
import { folderOnOtherDisk } from '../../../helpers/disks/other-disk.ts'
import { LocalWorld } from '../local-world.ts'
import { codeOf, path } from '../view.ts'

const MODE = { replace: false, fileMode: 0o640, folderMode: 0o750 }

/** A tree at `/from`, and a folder of another disk at `/disk`. */
async function world() {
  const opened = await LocalWorld.open('follow')
  const other = folderOnOtherDisk()
  const at = (name: string) => join(opened.root, name)
  symlinkSync(other.path, at('disk'))
  mkdirSync(at('from/sub'), { recursive: true })
  for (const name of ['a', 'sub/b']) writeFileSync(at(`from/${name}`), name)
  return {
    at,
    scope: opened.scope,
    text: (name: string) => readFileSync(at(name), 'utf8'),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]()
      other[Symbol.dispose]()
    },
  }
}

type World = Awaited<ReturnType<typeof world>>

/** The state after a kill between the placing rename of a move and the removal of its sources. */
async function placedMove(files: World): Promise<EntryIdentity> {
  let placed: EntryIdentity | undefined
  const stop = new AbortController()
  const placing = async (result: EntryIdentity | undefined) => {
    placed = result
  }
  const accept = () => stop.abort()
  const moved = files.scope.move(path('/from'), path('/disk/to'), MODE, { placing, accept, signal: stop.signal })
  expect(await codeOf(moved)).toBe('CANCELLED')
  expect(placed).toEqual(await files.scope.entryAt(path('/disk/to')))
  if (placed === undefined) throw new Error('nothing was placed')
  return placed
}

describe('an operation that continues', () => {
  it('only removes the sources of a move that was placed, and keeps those that have changed since', async () => {
    await using files = await world()
    const since = Date.now()
    const placed = await placedMove(files)
    writeFileSync(files.at('from/a'), 'changed')
    const leftOut: string[] = []
    const mode = { ...MODE, earlier: { since, placed } }
    await files.scope.move(path('/from'), path('/disk/to'), mode, { leftOut: (name) => leftOut.push(name) })
    expect(leftOut).toEqual(['a'])
    expect(files.text('from/a')).toBe('changed')
    expect(existsSync(files.at('from/sub'))).toBe(false)
    expect([files.text('disk/to/a'), files.text('disk/to/sub/b')]).toEqual(['a', 'sub/b'])
  })

  it.each<[string, string, (at: World['at']) => void]>([
    ['deleted', 'a', (at) => rmSync(at('disk/to/a'))],
    [
      'changed, but has its old time',
      'a',
      (at) => {
        const { atimeMs, mtimeMs } = statSync(at('from/a'))
        writeFileSync(at('disk/to/a'), 'longer')
        utimesSync(at('disk/to/a'), atimeMs / 1000, mtimeMs / 1000)
      },
    ],
    [
      'replaced by a link',
      'a',
      (at) => {
        rmSync(at('disk/to/a'))
        symlinkSync('sub/b', at('disk/to/a'))
      },
    ],
    [
      'replaced by a file, in place of a folder',
      'sub/b',
      (at) => {
        rmSync(at('disk/to/sub'), { recursive: true })
        writeFileSync(at('disk/to/sub'), '')
      },
    ],
  ])('keeps the sources of what was %s at the target since', async (_, name, change) => {
    await using files = await world()
    const since = Date.now()
    const placed = await placedMove(files)
    change(files.at)
    await files.scope.move(path('/from'), path('/disk/to'), { ...MODE, earlier: { since, placed } }, {})
    expect(files.text(`from/${name}`)).toBe(name)
    expect(existsSync(files.at(name === 'a' ? 'from/sub' : 'from/a'))).toBe(false)
  })

  it('does not replace what has appeared at the target since, even if the operation may replace', async () => {
    await using files = await world()
    writeFileSync(files.at('old'), 'old')
    await new Promise((resolve) => setTimeout(resolve, 300))
    const mode = { ...MODE, replace: true, earlier: { since: Date.now() } }
    await files.scope.copy(path('/from/a'), path('/old'), mode)
    expect(files.text('old')).toBe('a')
    writeFileSync(files.at('new'), 'new')
    // The second has put something else there, which was moved away.
    const placed = await files.scope.entryAt(path('/from/sub/b'))
    for (const earlier of [mode.earlier, { ...mode.earlier, placed }])
      for (const call of ['copy', 'move'] as const)
        expect(await codeOf(files.scope[call](path('/from/a'), path('/new'), { ...mode, earlier }))).toBe('CONFLICT')
    expect([files.text('new'), files.text('from/a')]).toEqual(['new', 'a'])
  })

  it('merges only what an earlier run has not, and what nobody else has put there since', async () => {
    await using files = await world()
    mkdirSync(files.at('disk/to/sub'), { recursive: true })
    const since = Date.now()
    const { atimeMs, mtimeMs } = statSync(files.at('from/a'))
    writeFileSync(files.at('disk/to/a'), 'a')
    utimesSync(files.at('disk/to/a'), atimeMs / 1000, mtimeMs / 1000)
    writeFileSync(files.at('disk/to/sub/b'), 'of another')
    const { ino } = statSync(files.at('disk/to/a'))
    const mode = { ...MODE, replace: true, earlier: { since } }
    const leftOut: string[] = []
    await files.scope.move(path('/from'), path('/disk/to'), mode, { leftOut: (name) => leftOut.push(name) })
    expect(statSync(files.at('disk/to/a')).ino).toBe(ino)
    expect(existsSync(files.at('from/a'))).toBe(false)
    expect([files.text('disk/to/sub/b'), files.text('from/sub/b')]).toEqual(['of another', 'sub/b'])
    expect(leftOut).toEqual(['sub/b'])
  })

  it('takes the empty folder for free with which a killed process has reserved its name', async () => {
    await using files = await world()
    const earlier = { since: Date.now() }
    mkdirSync(files.at('disk/to'), 0o700)
    await files.scope.copy(path('/from'), path('/disk/to'), { ...MODE, earlier })
    expect(files.text('disk/to/sub/b')).toBe('sub/b')
    mkdirSync(files.at('other/x'), { recursive: true })
    expect(await codeOf(files.scope.copy(path('/from'), path('/other'), { ...MODE, earlier }))).toBe('CONFLICT')
    // A file reserves no folder.
    mkdirSync(files.at('empty'))
    expect(await codeOf(files.scope.copy(path('/from/a'), path('/empty'), { ...MODE, earlier }))).toBe('CONFLICT')
    expect(statSync(files.at('empty')).isDirectory()).toBe(true)
  })

  it('moves a file to the trash once, under the id of the earlier run', async () => {
    await using files = await world()
    const source = await files.scope.entryAt(path('/from/a'))
    await files.scope.trash.put('1', path('/from/a'), 1, {}, { id: 'job' })
    // As if the process had been killed between the two halves of a rename without replacing.
    linkSync(files.at('.filemgr-trash/1/job/content'), files.at('from/a'))
    const earlier = { since: 1, placed: source }
    const noted: unknown[] = []
    const placing = async (entry: unknown) => void noted.push(entry)
    await files.scope.trash.put('1', path('/from/a'), 1, { placing }, { id: 'job', earlier })
    // Otherwise a run after this one would not know what was placed.
    expect(noted).toEqual([])
    expect(existsSync(files.at('from/a'))).toBe(false)
    expect((await files.scope.trash.list('1')).map(({ id }) => id)).toEqual(['job'])
  })
})
