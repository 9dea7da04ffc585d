import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { takeFileLock } from '../../src/store/file-lock.ts'
import { describeThisProcess } from '../../src/store/lock-holder.ts'
import { temporaryFolder } from './store-folder.ts'

const lockPath = async () => join(await temporaryFolder(), 'store.json.lock')

/** A lock as another process would have left it. */
const leave = async (path: string, holder: object) =>
  await writeFile(path, JSON.stringify({ ...describeThisProcess(), ...holder }))

async function pidOfDead(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'close')
  return child.pid ?? 0
}

it('is held by one at a time, and leaves nothing behind', async () => {
  const path = await lockPath()
  let inside = 0
  let most = 0
  const enter = async () => {
    await using _lock = await takeFileLock(path)
    most = Math.max(most, ++inside)
    await new Promise((resolve) => setImmediate(resolve))
    inside--
  }
  await Promise.all(Array.from({ length: 20 }, enter))
  expect(most).toBe(1)
  expect(await readdir(join(path, '..'))).toEqual([])
})

it('gives up in time and names the holder', async () => {
  const path = await lockPath()
  await using _lock = await takeFileLock(path)
  const refusal = { code: 'STORE_BUSY', message: expect.stringContaining(`process ${process.pid} on`) as string }
  await expect(takeFileLock(path, { timeout: 50 })).rejects.toMatchObject(refusal)
  expect(await readdir(join(path, '..'))).toEqual(['store.json.lock'])
})

it('takes over from a dead process', async () => {
  const path = await lockPath()
  await leave(path, { pid: await pidOfDead() })
  await using lock = await takeFileLock(path)
  await lock.confirm()
})

it('takes over when the pid was given to another process since', async () => {
  const path = await lockPath()
  await leave(path, { started: '1' })
  await using lock = await takeFileLock(path)
  await lock.confirm()
})

it('lets a young lock of another machine alone and takes an old one over', async () => {
  const path = await lockPath()
  await leave(path, { machine: 'another', pid: await pidOfDead() })
  await expect(takeFileLock(path, { timeout: 50 })).rejects.toMatchObject({ code: 'STORE_BUSY' })
  const before = Date.now() / 1000 - 60
  await utimes(path, before, before)
  await using lock = await takeFileLock(path)
  await lock.confirm()
})

it('takes over a lock file that was cut off while it was written', async () => {
  const path = await lockPath()
  await writeFile(path, '{"pid"')
  await using lock = await takeFileLock(path)
  await lock.confirm()
})

it('recovers from a process that died while it broke a lock', async () => {
  const path = await lockPath()
  await leave(path, { pid: await pidOfDead() })
  await mkdir(`${path}.break`)
  const before = Date.now() / 1000 - 60
  await utimes(`${path}.break`, before, before)
  await using lock = await takeFileLock(path)
  await lock.confirm()
  expect(await readdir(join(path, '..'))).toEqual(['store.json.lock'])
})

it('clears the guard of a process that died after it had broken a lock', async () => {
  const path = await lockPath()
  await mkdir(`${path}.break`)
  await (await takeFileLock(path))[Symbol.asyncDispose]()
  expect(await readdir(join(path, '..'))).toEqual([])
})

it('notices when somebody took the lock away, and then leaves theirs alone', async () => {
  const path = await lockPath()
  const lock = await takeFileLock(path)
  await writeFile(`${path}.theirs`, 'theirs')
  await rename(`${path}.theirs`, path)
  await expect(lock.confirm()).rejects.toMatchObject({ code: 'STORE_BUSY' })
  await lock[Symbol.asyncDispose]()
  expect(await readFile(path, 'utf8')).toBe('theirs')
})
