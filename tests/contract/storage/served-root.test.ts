import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openLocalStorage } from '../../../src/storage/local-storage.ts'
import { storagePathOf, type Storage } from '../../../src/storage/storage.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { codeOf, namesIn, path, put } from './view.ts'

async function namesNow(storage: Storage): Promise<string[]> {
  using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  return await namesIn(scope, '/')
}

it('a folder that replaces the served one is served, and a missing one is reported', async () => {
  await using folder = await tempFolder({ 'root/old.txt': '' })
  const root = folder.at('root')
  await using storage = await openLocalStorage(root)
  expect(await namesNow(storage)).toEqual(['old.txt'])
  renameSync(root, folder.at('away'))
  await expect.poll(async () => await codeOf(storage.ready())).toBe('UNAVAILABLE')
  expect(await codeOf(namesNow(storage))).toBe('UNAVAILABLE')
  mkdirSync(root)
  writeFileSync(folder.at('root/new.txt'), '')
  expect(await namesNow(storage)).toEqual(['new.txt'])
})

/** Root may mount disks on most machines, but not in most containers. */
function mountOn(mountPoint: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', mountPoint]).status === 0
}

it.runIf(process.getuid?.() === 0)(
  'a disk that is mounted later is served, and may be unmounted when idle',
  async () => {
    await using folder = await tempFolder({ 'root/beneath.txt': '' })
    const root = folder.at('root')
    await using storage = await openLocalStorage(root)
    expect(await namesNow(storage)).toEqual(['beneath.txt'])
    if (!mountOn(root)) return
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
  },
)
