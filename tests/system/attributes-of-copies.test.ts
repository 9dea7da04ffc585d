import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAttributeSync, listAttributesSync, setAttributeSync } from '@napi-rs/xattr'
import { describe, expect, it } from 'vitest'
import type { Scope, TransferMode, Work } from '../../src/storage/storage.ts'
import { ACCESS, DEFAULT, READERS } from '../contract/storage/access-lists.ts'
import { LocalWorld } from '../contract/storage/local-world.ts'
import { TwoDisks } from '../contract/storage/two-disks.ts'
import { path } from '../contract/storage/view.ts'
import { needsRoot } from '../helpers/needs.ts'
import { itOnMounts } from '../helpers/on-mounts.ts'

needsRoot()

const FREE: TransferMode = { replace: false, folderMode: 0o750 }
/** Gives a file, a folder and the folder around them tags and access lists, and old times. */
function mark(folder: string): void {
  mkdirSync(join(folder, 'sub'), { recursive: true })
  writeFileSync(join(folder, 'file'), 'x')
  chmodSync(join(folder, 'file'), 0o640)
  for (const name of ['file', 'sub', '.']) {
    setAttributeSync(join(folder, name), 'user.tags', `of ${name}`)
    setAttributeSync(join(folder, name), ACCESS, READERS)
  }
  setAttributeSync(join(folder, 'sub'), DEFAULT, READERS)
  for (const name of ['file', 'sub', '.']) utimesSync(join(folder, name), 1000, 2000)
}

function expectMarked(folder: string): void {
  for (const name of ['file', 'sub', '.']) {
    const at = join(folder, name)
    expect(getAttributeSync(at, 'user.tags')?.toString()).toBe(`of ${name}`)
    expect(getAttributeSync(at, ACCESS)).toEqual(READERS)
    expect(listAttributesSync(at).toSorted()).toEqual([ACCESS, ...(name === 'sub' ? [DEFAULT] : []), 'user.tags'])
  }
}

type Transfer = (scope: Scope, from: string, to: string, work?: Work) => Promise<void>
const copy: Transfer = async (scope, from, to, work) => await scope.copy(path(from), path(to), FREE, work)
const move: Transfer = async (scope, from, to, work) => await scope.move(path(from), path(to), FREE, work)

describe('attributes and access lists', () => {
  it.each([
    ['copied', copy],
    ['moved', move],
  ])('are kept when a folder is %s to another disk', async (_, transfer) => {
    await using disks = await TwoDisks.open()
    mark(disks.at('marked'))
    const { mode } = statSync(disks.at('marked/file'))
    await transfer(disks.scope, '/marked', '/disk/to')
    expectMarked(disks.at('disk/to'))
    expect(statSync(disks.at('disk/to/file')).mode).toBe(mode)
    if (transfer !== move) return
    for (const name of ['file', 'sub', '']) expect(statSync(disks.at(`disk/to/${name}`)).mtimeMs).toBe(2_000_000)
  })

  it.each([
    ['copied', copy],
    ['moved', move],
  ])('are kept when a file is %s to another disk', async (_, transfer) => {
    await using disks = await TwoDisks.open()
    mark(disks.at('marked'))
    await transfer(disks.scope, '/marked/file', '/disk/file')
    expect(getAttributeSync(disks.at('disk/file'), 'user.tags')?.toString()).toBe('of file')
    expect(getAttributeSync(disks.at('disk/file'), ACCESS)).toEqual(READERS)
  })

  it('are kept of a folder whose name is not UTF-8', async () => {
    await using disks = await TwoDisks.open()
    mark(disks.at('marked'))
    renameSync(disks.at('marked/sub'), Buffer.from(disks.at('marked/s\xfcb'), 'latin1'))
    await copy(disks.scope, '/marked', '/disk/to')
    renameSync(Buffer.from(disks.at('disk/to/s\xfcb'), 'latin1'), disks.at('disk/to/sub'))
    expectMarked(disks.at('disk/to'))
  })

  it('of the new folder are given to copies, and not to what is moved there', async () => {
    await using disks = await TwoDisks.open()
    mkdirSync(disks.at('disk/shared'))
    setAttributeSync(disks.at('disk/shared'), DEFAULT, READERS)
    await copy(disks.scope, '/from', '/disk/shared/copy')
    expect(listAttributesSync(disks.at('disk/shared/copy/a'))).toEqual([ACCESS])
    await move(disks.scope, '/from', '/disk/shared/moved')
    for (const name of ['', 'a', 'sub', 'sub/c'])
      expect(listAttributesSync(disks.at(`disk/shared/moved/${name}`))).toEqual([])
  })
})

/** A disk without attributes. */
function plainDisk(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'filemgr-plain-'))
  execFileSync('mount', ['-t', 'ramfs', 'ramfs', path])
  return {
    path,
    [Symbol.dispose]() {
      execFileSync('umount', [path])
      rmSync(path, { recursive: true })
    },
  }
}

itOnMounts.each([
  ['copied', copy],
  ['moved', move],
])('what a disk does not keep is listed when it is %s', async (_, transfer) => {
  using disk = plainDisk()
  await using world = await LocalWorld.open('follow', {}, (root) =>
    execFileSync('ln', ['-s', disk.path, join(root, 'disk')]),
  )
  mark(join(world.root, 'marked'))
  const leftOut: string[] = []
  await transfer(world.scope, '/marked', '/disk/to', { leftOut: (name) => leftOut.push(name) })
  expect(leftOut.toSorted()).toEqual([
    `file (${ACCESS}, user.tags)`,
    `marked (${ACCESS}, user.tags)`,
    `sub (${ACCESS}, ${DEFAULT}, user.tags)`,
  ])
})
