import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connectDaemon } from '../../../src/platform/network/daemon-socket.ts'
import { reachWriter, type HandOver } from '../../../src/store/writer/writer.ts'
import { startWriter } from '../../stress/store/processes.ts'
import { temporaryFolder } from './folder.ts'
import { addShare, addUser, countUp, sampleDocument } from './samples.ts'
import { dataFolder } from './opened.ts'

it('the daemon makes the changes of another process, and notifies its own listeners', async () => {
  const data = await dataFolder()
  const { store } = await data.open({ daemon: true })
  const counts: number[] = []
  store.onChange((now) => counts.push(now.shares.length))
  expect(await startWriter(data.folder, 3).acknowledged).toEqual([1, 2, 3])
  expect(store.snapshot().shares).toHaveLength(3)
  expect(counts).toEqual([1, 2, 3])
})

it('a command sees its change, and that of others, once it is made', async () => {
  const data = await dataFolder()
  const daemon = await data.open({ daemon: true })
  const command = await data.open()
  await daemon.store.update(countUp)
  expect(await command.store.update(addUser)).toBe(2)
  expect(command.store.snapshot()).toEqual(daemon.store.snapshot())
})

it('no change is lost when a daemon and commands make changes at once', async () => {
  const data = await dataFolder()
  const all = [await data.open({ daemon: true }), await data.open(), await data.open()]
  await Promise.all(all.flatMap(({ store }) => Array.from({ length: 20 }, async () => await store.update(addShare))))
  expect(all[0]?.store.snapshot().shares).toHaveLength(60)
})

it('the daemon checks what another process hands over, and names the invalid field', async () => {
  const data = await dataFolder()
  const { store } = await data.open({ daemon: true })
  const base = createHash('sha256')
    .update(await readFile(data.path))
    .digest('base64url')
  const handOver = async (change: Partial<HandOver>) => {
    using writer = await reachWriter(data.folder)
    return await writer.handOver?.({
      file: 'store.json',
      base,
      changes: [{ field: 'users', set: [{}] }],
      ...change,
    })
  }
  expect(await handOver({ base: 'of an older content' })).toBe(false)
  await expect(handOver({})).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'users/0/id' } })
  await expect(handOver({ file: 'other.json' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(store.snapshot().users).toHaveLength(1)
})

it('only the account of the daemon may connect to its socket', async () => {
  const data = await dataFolder()
  await data.open({ daemon: true })
  expect((await stat(join(data.folder, 'control.sock'))).mode & 0o777).toBe(0o600)
})

it('a hand-over works even if the path of the folder is too long for a socket', async () => {
  const folder = join(await temporaryFolder(), 'd'.repeat(120))
  const data = await dataFolder(sampleDocument(), folder)
  const daemon = await data.open({ daemon: true })
  const command = await data.open()
  await command.store.update(addUser)
  expect(daemon.store.snapshot().users).toHaveLength(2)
  await daemon[Symbol.asyncDispose]()
  expect(await connectDaemon(folder)).toBeUndefined()
  expect(await readdir(folder)).not.toContain('control.sock')
})

it('the leftover socket of a killed daemon does no harm', async () => {
  const data = await dataFolder()
  await writeFile(join(data.folder, 'control.sock'), '')
  const command = await data.open()
  await command.store.update(addUser)
  const daemon = await data.open({ daemon: true })
  expect(daemon.store.snapshot().users).toHaveLength(2)
})

it('a second daemon is refused', async () => {
  const data = await dataFolder()
  await data.open({ daemon: true })
  await expect(data.open({ daemon: true })).rejects.toMatchObject({ code: 'STORE_BUSY' })
})

it('a command says so when the daemon ends in the middle', async () => {
  const data = await dataFolder()
  const server = createServer((socket) => socket.once('data', () => socket.destroy()))
  await new Promise<void>((resolve) => server.listen(join(data.folder, 'control.sock'), resolve))
  const { store } = await data.open()
  await expect(store.update(addUser)).rejects.toMatchObject({
    code: 'STORE_BUSY',
    message: expect.stringContaining('Check whether the change was made') as string,
  })
  server.close()
})

it('a command that is killed in the middle of its request changes nothing', async () => {
  const data = await dataFolder()
  const { store } = await data.open({ daemon: true })
  const socket = await connectDaemon(data.folder)
  await new Promise((resolve) => socket?.write('{"file":"store.json","base":"', resolve))
  socket?.destroy()
  await store.update(addUser)
  expect(store.snapshot().users).toHaveLength(2)
})

it('a command makes its changes itself when the daemon has ended', async () => {
  const data = await dataFolder()
  const daemon = await data.open({ daemon: true })
  const { store } = await data.open()
  await store.update(addUser)
  await daemon[Symbol.asyncDispose]()
  await store.update(addUser)
  expect(store.snapshot().users).toHaveLength(3)
})
