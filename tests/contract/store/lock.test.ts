import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { tryDataLock, takeDataLock } from '../../../src/store/writer/data-lock.ts'
import { temporaryFolder } from './folder.ts'

const HOLDER = fileURLToPath(new URL('./lock-holder.ts', import.meta.url))

/** A process that holds the lock until it is killed. */
async function heldByAnother(folder: string) {
  const child = spawn(process.execPath, [HOLDER, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

it('the lock is held by one at a time', async () => {
  const folder = await temporaryFolder()
  let inside = 0
  let most = 0
  const enter = async () => {
    using _lock = await takeDataLock(folder)
    most = Math.max(most, ++inside)
    await new Promise((resolve) => setImmediate(resolve))
    inside--
  }
  await Promise.all(Array.from({ length: 20 }, enter))
  expect(most).toBe(1)
})

it('waiting for the lock ends in time, and names the holder', async () => {
  const folder = await temporaryFolder()
  using _lock = await tryDataLock(folder)
  const refusal = { code: 'STORE_BUSY', message: expect.stringContaining(`process ${process.pid} on`) as string }
  await expect(takeDataLock(folder, 50)).rejects.toMatchObject(refusal)
})

it('the lock does not write through a link in place of its note', async () => {
  const folder = await temporaryFolder()
  const other = join(await temporaryFolder(), 'other')
  await writeFile(other, 'kept')
  await symlink(other, join(folder, 'store.lock.txt'))
  using lock = await tryDataLock(folder)
  expect(lock).toBeDefined()
  expect(await readFile(other, 'utf8')).toBe('kept')
})

it('the lock is free as soon as its holder is killed', async () => {
  const folder = await temporaryFolder()
  const child = await heldByAnother(folder)
  expect(await tryDataLock(folder)).toBeUndefined()
  child.kill('SIGKILL')
  await once(child, 'close')
  using lock = await tryDataLock(folder)
  expect(lock).toBeDefined()
})

it('the lock ignores clocks and old notes: files that remain after a power cut lock nobody out', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'store.lock'), '', { mode: 0o600 })
  await writeFile(join(folder, 'store.lock.txt'), `process ${process.pid} on another machine`)
  using lock = await tryDataLock(folder)
  expect(lock).toBeDefined()
})

it('the lock removes no file: it is taken, released and taken again with the same files', async () => {
  const folder = await temporaryFolder()
  for (let turn = 0; turn < 3; turn++) {
    using lock = await tryDataLock(folder)
    expect(lock).toBeDefined()
  }
  expect((await readdir(folder)).toSorted()).toEqual(['store.lock', 'store.lock.txt'])
  expect((await stat(join(folder, 'store.lock'))).mode & 0o777).toBe(0o600)
})

it('a lock file with other content is refused with its path', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'store.lock')
  await writeFile(path, 'somebody wrote a shopping list into it')
  await expect(tryDataLock(folder)).rejects.toMatchObject({
    code: 'STORE_INVALID',
    message: expect.stringContaining(path) as string,
  })
  await unlink(path)
  using lock = await tryDataLock(folder)
  expect(lock).toBeDefined()
})
