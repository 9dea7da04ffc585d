import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isDaemonsTurn } from '../../../src/domain/errors.ts'
import { isDaemonAlive } from '../../../src/platform/network/daemon-socket.ts'
import { temporaryFolder } from './folder.ts'
import { addUser, countUp, sampleDocument } from './samples.ts'
import { dataFolder } from './opened.ts'

it('only the daemon writes, and a command that would change something is told so at once', async () => {
  const data = await dataFolder()
  const command = await data.open()
  const daemon = await data.open({ daemon: true })
  const refusal = await command.store.update(addUser).catch((error: unknown) => error)
  expect(isDaemonsTurn(refusal)).toBe(true)
  await daemon.store.update(countUp)
  expect(daemon.store.snapshot().users).toHaveLength(1)
})

it('only the account of the daemon may connect to its socket', async () => {
  const data = await dataFolder()
  await data.open({ daemon: true })
  expect((await stat(join(data.folder, 'control.sock'))).mode & 0o777).toBe(0o600)
})

it('commands find the daemon even if the path of the folder is too long for a socket', async () => {
  const folder = join(await temporaryFolder(), 'd'.repeat(120))
  const data = await dataFolder(sampleDocument(), folder)
  const daemon = await data.open({ daemon: true })
  expect(await isDaemonAlive(folder)).toBe(true)
  await daemon[Symbol.asyncDispose]()
  expect(await isDaemonAlive(folder)).toBeUndefined()
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

it('a command makes its changes itself when the daemon has ended', async () => {
  const data = await dataFolder()
  const daemon = await data.open({ daemon: true })
  const { store } = await data.open()
  await daemon.store.update(addUser)
  await daemon[Symbol.asyncDispose]()
  await store.update(addUser)
  expect(store.snapshot().users).toHaveLength(3)
})
