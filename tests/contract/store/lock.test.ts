import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { tryDataLock } from '../../../src/store/writer/data-lock.ts'
import { reachWriter } from '../../../src/store/writer/writer.ts'
import { temporaryFolder } from './folder.ts'

const HOLDER = fileURLToPath(new URL('./lock-holder.ts', import.meta.url))

/** A process that holds the lock until it is killed. */
async function heldByAnother(folder: string) {
  const child = spawn(process.execPath, [HOLDER, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

it('is held by one at a time', async () => {
  const folder = await temporaryFolder()
  let inside = 0
  let most = 0
  const enter = async () => {
    using _lock = await reachWriter(folder)
    most = Math.max(most, ++inside)
    await new Promise((resolve) => setImmediate(resolve))
    inside--
  }
  await Promise.all(Array.from({ length: 20 }, enter))
  expect(most).toBe(1)
})

it('gives up in time and names the holder', async () => {
  const folder = await temporaryFolder()
  using _lock = await tryDataLock(folder)
  const refusal = { code: 'STORE_BUSY', message: expect.stringContaining(`process ${process.pid} on`) as string }
  await expect(reachWriter(folder, 50)).rejects.toMatchObject(refusal)
})

it('does not write through a link that someone has put in place of the note', async () => {
  const folder = await temporaryFolder()
  const other = join(await temporaryFolder(), 'other')
  await writeFile(other, 'kept')
  await symlink(other, join(folder, 'store.lock.txt'))
  using lock = await tryDataLock(folder)
  expect(lock).toBeDefined()
  expect(await readFile(other, 'utf8')).toBe('kept')
})

it('is free the moment that a process which held it is killed', async () => {
  const folder = await temporaryFolder()
  const child = await heldByAnother(folder)
  expect(await tryDataLock(folder)).toBeUndefined()
  child.kill('SIGKILL')
  await once(child, 'close')
  using lock = await tryDataLock(folder)
  expect(lock).toBeDefined()
})

it('asks nothing of clocks and old notes: what lies in the folder since a power cut locks nobody out', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'store.lock'), '', { mode: 0o600 })
  await writeFile(join(folder, 'store.lock.txt'), `process ${process.pid} on another machine`)
  using lock = await tryDataLock(folder)
  expect(lock).toBeDefined()
})

it('needs no file to be removed: it is taken, freed and taken again where unlink fails', async () => {
  const folder = await temporaryFolder()
  for (let turn = 0; turn < 3; turn++) {
    using lock = await tryDataLock(folder)
    expect(lock).toBeDefined()
  }
  expect((await readdir(folder)).toSorted()).toEqual(['store.lock', 'store.lock.txt'])
  expect((await stat(join(folder, 'store.lock'))).mode & 0o777).toBe(0o600)
})

it('says what to do about a lock file that is something else', async () => {
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
