import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, lchownSync, lstatSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseSeconds } from '../../src/domain/files/file-time.ts'
import type { Scope } from '../../src/storage/storage.ts'
import { settableTime } from '../../src/storage/local/system/file-times.ts'
import { TwoDisks } from '../contract/storage/two-disks.ts'
import { path } from '../contract/storage/view.ts'
import { needsRoot } from '../helpers/needs.ts'

needsRoot()

const FREE = { replace: false, folderMode: 0o750 }
const NAMES = ['a', 'sub', 'sub/c', 'link', '']

type Move = (scope: Scope) => Promise<void>
const MOVES: readonly [string, Move][] = [
  ['moved to another disk', async (scope) => await scope.move(path('/from'), path('/disk/to'), FREE)],
  [
    'deleted, and restored to another disk',
    async ({ trash }) => {
      const { id } = await trash.put('1', path('/from'), Date.now())
      await trash.restore('1', id, path('/disk/to'), FREE)
    },
  ],
]

describe.each(MOVES)('whatever is %s', (_, move) => {
  it.each(['-2000000000.25', '-114912000', '-1.5', '1700000000.123456789', '9300000000', '13569465600.5'])(
    'keeps the time %s',
    async (seconds) => {
      await using disks = await TwoDisks.open()
      symlinkSync('nowhere', disks.at('from/link'))
      for (const name of NAMES) execFileSync('touch', ['-h', '-d', `@${seconds}`, disks.at(`from/${name}`)])
      await move(disks.scope)
      const expected = settableTime(parseSeconds(seconds) ?? 0n)
      for (const name of NAMES)
        expect([name, lstatSync(disks.at(`disk/to/${name}`), { bigint: true }).mtimeNs]).toEqual([name, expected])
    },
  )

  it('keeps its owner, group and mode, as with mv', async () => {
    await using disks = await TwoDisks.open()
    symlinkSync('nowhere', disks.at('from/link'))
    for (const name of NAMES) lchownSync(disks.at(`from/${name}`), 1234, 1235)
    const modes = { a: 0o6750, b: 0o600, sub: 0o2770, '': 0o1777 }
    for (const [name, mode] of Object.entries(modes)) chmodSync(disks.at(`from/${name}`), mode)
    await move(disks.scope)
    for (const name of NAMES) {
      const { uid, gid } = lstatSync(disks.at(`disk/to/${name}`))
      expect([name, uid, gid]).toEqual([name, 1234, 1235])
    }
    for (const [name, mode] of Object.entries(modes))
      expect([name, statSync(disks.at(`disk/to/${name}`)).mode & 0o7777]).toEqual([name, mode])
  })
})

it('a moved file stays in its group in a folder with the setgid bit', async () => {
  await using disks = await TwoDisks.open()
  mkdirSync(disks.at('disk/team'))
  chownSync(disks.at('disk/team'), 1234, 60)
  chmodSync(disks.at('disk/team'), 0o2770)
  await disks.scope.move(path('/from'), path('/disk/team/moved'), FREE)
  for (const name of ['', 'a', 'sub', 'sub/c']) {
    const { uid, gid, mode } = statSync(disks.at(`disk/team/moved/${name}`))
    expect([name, uid, gid, mode & 0o2000]).toEqual([name, 0, 0, 0])
  }
})
