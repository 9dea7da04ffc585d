import { execFile } from 'node:child_process'
import { mkdir, open, truncate, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { ArchiveFormat } from '../../src/domain/archive-format.ts'
import { openLocalStorage } from '../../src/storage/local-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import { path, viewOf } from '../contract/storage-view.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const run = promisify(execFile)
const MEBIBYTE = 1024 * 1024
const MOST_GROWTH = 96 * MEBIBYTE
const FILES = 70_000
const BEYOND_32_BITS = 4.5 * 1024 * MEBIBYTE

/** @returns by how many bytes the memory of the process grew at most */
async function archive(folder: string, format: ArchiveFormat, target: string): Promise<number> {
  await using storage = await openLocalStorage(folder)
  await using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  await using file = await open(target, 'w')
  const before = process.memoryUsage.rss()
  let most = before
  const selection = { format, base: path('/'), items: [path('/')] }
  for await (const part of scope.archive(selection, viewOf('/'))) {
    await file.write(part)
    most = Math.max(most, process.memoryUsage.rss())
  }
  return most - before
}

it(`zips ${FILES} files in constant memory, and unzip opens it`, { timeout: 180_000 }, async () => {
  await using folder = await tempFolder({ 'root/': '' })
  for (let group = 0; group < 70; group += 1) {
    await mkdir(folder.at(`root/größe ${group}`))
    const names = Array.from({ length: FILES / 70 }, (_, index) => folder.at(`root/größe ${group}/file ${index}.txt`))
    await Promise.all(names.map(async (name) => await writeFile(name, name)))
  }
  expect(await archive(folder.at('root'), 'zip', folder.at('a.zip'))).toBeLessThan(MOST_GROWTH)
  const { stdout } = await run('unzip', ['-tq', folder.at('a.zip')])
  expect(stdout).toContain('No errors detected')
  const { stdout: summary } = await run('sh', ['-c', 'unzip -l "$0" | tail -1', folder.at('a.zip')])
  expect(summary).toContain(`${FILES + 70} files`)
})

it('zips a file beyond 4 GiB with others behind it', { timeout: 300_000 }, async () => {
  await using folder = await tempFolder({ 'root/a': '', 'root/b.txt': 'behind' })
  await truncate(folder.at('root/a'), BEYOND_32_BITS)
  expect(await archive(folder.at('root'), 'zip', folder.at('a.zip'))).toBeLessThan(MOST_GROWTH)
  const { stdout } = await run('unzip', ['-tq', folder.at('a.zip')])
  expect(stdout).toContain('No errors detected')
  expect((await run('unzip', ['-p', folder.at('a.zip'), 'b.txt'])).stdout).toBe('behind')
})
