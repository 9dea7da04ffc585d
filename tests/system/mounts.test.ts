import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { StagedNames } from '../../src/storage/reserved-names.ts'
import { LocalWorld } from '../contract/storage/local-world.ts'
import { codeOf, path } from '../contract/storage/view.ts'
import { itOnMounts } from '../helpers/on-mounts.ts'

/** A folder with a disk mounted in it, which holds one file. */
function mountIn(folder: string): Disposable & { mountPoint: string } {
  const mountPoint = join(folder, 'a disk')
  mkdirSync(mountPoint, { recursive: true })
  writeFileSync(join(folder, 'file'), 'x')
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', mountPoint])
  writeFileSync(join(mountPoint, 'kept'), 'kept')
  return {
    mountPoint,
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', this.mountPoint])
    },
  }
}

describe('a folder in which a disk is mounted', () => {
  itOnMounts('is not deleted, not even in part', async () => {
    await using world = await LocalWorld.open()
    using _mount = mountIn(join(world.root, 'folder'))
    for (const name of ['/folder', '/folder/a disk']) {
      expect(await codeOf(world.scope.remove(path(name)))).toBe('CONFLICT')
      expect(readdirSync(join(world.root, 'folder')).toSorted()).toEqual(['a disk', 'file'])
      expect(readFileSync(join(world.root, 'folder/a disk/kept'), 'utf8')).toBe('kept')
    }
  })

  itOnMounts('is removed from the trash except for the disk, which is reported', async () => {
    await using world = await LocalWorld.open()
    mkdirSync(join(world.root, 'folder'))
    const entry = await world.scope.trash.put('1', path('/folder'), 1000)
    const content = join(world.root, '.filemgr-trash/1', entry.id, 'content')
    {
      using _mount = mountIn(content)
      const leftOut: string[] = []
      const work = { leftOut: (name: string) => leftOut.push(name) }
      expect(await codeOf(world.scope.trash.remove('1', entry.id, work))).toBe('CONFLICT')
      expect(readdirSync(content)).toEqual(['a disk'])
      expect(readdirSync(join(content, 'a disk'))).toEqual(['kept'])
      expect(leftOut).toEqual(['a disk'])
      expect(await world.scope.trash.sweep(2000)).toBe(0)
      expect(await world.scope.trash.list('1')).toEqual([entry])
    }
    await world.scope.trash.remove('1', entry.id)
    expect(await world.scope.trash.list('1')).toEqual([])
  })

  itOnMounts('is swept together with the disk, and again later if a mount keeps a part of it', async () => {
    const killed = new StagedNames({ installation: 'aaaaaaaa', run: 'bbbbbbbb' })
    const staged = new StagedNames({ installation: 'aaaaaaaa', run: 'cccccccc' }, true)
    await using world = await LocalWorld.open('inside', { staged })
    using _mount = mountIn(join(world.root, 'folder'))
    const disk = join(world.root, 'folder/a disk')
    const half = join(disk, killed.next())
    {
      using inner = mountIn(half)
      await world.storage.sweep()
      // Its name is another one now.
      const [left = ''] = readdirSync(disk).filter((name) => name !== 'kept' && name !== 'file')
      expect(readdirSync(join(disk, left, 'a disk'))).toEqual(['kept'])
      expect([existsSync(half), staged.isClean]).toEqual([false, false])
      inner.mountPoint = join(disk, left, 'a disk')
    }
    await world.storage.sweep()
    expect([readdirSync(disk), staged.isClean]).toEqual([['kept'], true])
  })
})
