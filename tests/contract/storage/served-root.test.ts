import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openLocalStorage } from '../../../src/storage/local/local-storage.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { storagePathOf } from '../../../src/storage/storage.ts'
import { codeOf, namesNow, path, put } from './view.ts'

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

it('nothing is written to a served folder that is gone from its path', async () => {
  await using folder = await tempFolder({ 'root/': '' })
  await using storage = await openLocalStorage(folder.at('root'))
  using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  renameSync(folder.at('root'), folder.at('away'))
  expect(await codeOf(put(scope, '/a.txt', 'a'))).toBe('UNAVAILABLE')
  expect(readdirSync(folder.at('away'))).toEqual([])
})
