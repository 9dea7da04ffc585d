import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import { namesNow, path, put } from '../contract/storage/view.ts'
import { itOnMounts } from '../helpers/on-mounts.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

itOnMounts('a disk that is mounted later is served, and may be unmounted when idle', async () => {
  await using folder = await tempFolder({ 'root/beneath.txt': '' })
  const root = folder.at('root')
  await using storage = await openLocalStorage(root)
  expect(await namesNow(storage)).toEqual(['beneath.txt'])
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', root])
  try {
    await expect.poll(async () => await namesNow(storage)).toEqual([])
    {
      using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
      await put(scope, '/on-the-disk.txt', 'kept')
    }
    expect(readFileSync(folder.at('root/on-the-disk.txt'), 'utf8')).toBe('kept')
  } finally {
    await expect.poll(() => spawnSync('umount', [root]).status).toBe(0)
  }
  await expect.poll(async () => await namesNow(storage)).toEqual(['beneath.txt'])
  expect(execFileSync('ls', [root], { encoding: 'utf8' })).toBe('beneath.txt\n')
})
