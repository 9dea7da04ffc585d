import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CHEAP_HASH, PASSWORD } from '../../helpers/cheap-account.ts'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { smallDisk } from '../../helpers/disks/small-disk.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

it('sign-out and sign-in work on a full data disk, and a start on it says that it is full', async () => {
  using disk = smallDisk(8)
  await using folder = await tempFolder({ 'a.txt': 'hello' })
  const data = join(disk.path, 'data')
  await runCli(['--data', data, 'init', '--root', folder.path, ...CHEAP_HASH])
  const options = { data, root: folder.path, env: disk.env }
  await using daemon = await startTestDaemon(options)
  const body = JSON.stringify({ username: 'admin', password: PASSWORD })
  const token = await (await fetch(`${daemon.url}api/login`, { method: 'POST', body })).text()
  const ask = async (method: string, path: string) =>
    (await fetch(`${daemon.url}${path}`, { method, headers: { 'X-Auth': token } })).status
  expect(await ask('GET', 'api/resources/')).toBe(200)
  const sessions = async () => await readdir(join(data, 'sessions'))

  disk.leave(0)
  expect(await ask('POST', 'api/logout')).toBe(204)
  expect(await ask('GET', 'api/resources/')).toBe(401)
  expect(await sessions()).toEqual([])
  disk.leave(0)
  // Users have to sign in to free space.
  expect((await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status).toBe(200)
  expect(await sessions()).toEqual([])

  disk.empty()
  expect((await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status).toBe(200)
  await expect.poll(async () => (await sessions()).length).toBe(2)

  const { stderr } = await daemon.stop()
  expect(stderr).toContain('kept in memory until there is room')
  disk.leave(0)
  const command = async (...args: string[]) => await runCli(['--data', data, ...args], { env: disk.env })
  for (const refused of [
    await command('serve', folder.path, '--port', '0'),
    await command('users', 'set', 'admin', '--locale', 'fr'),
    await command('users', 'add', 'bob', '--password', 'another long passphrase'),
    await command('backup', 'create', join(data, 'backup.tar')),
  ]) {
    expect(refused).toMatchObject({ code: 8, stdout: '' })
    expect(refused.stderr).toMatch(/^filemgr: No space is left [^\n]*\n$/)
  }
  expect(await command('sessions', 'revoke', '--all')).toMatchObject({ code: 0 })
  expect(await sessions()).toEqual([])
})

it('a command ends sessions of a running daemon on a full data disk', async () => {
  using disk = smallDisk(8)
  await using folder = await tempFolder({ 'a.txt': 'hello' })
  const data = join(disk.path, 'data')
  const command = async (...args: string[]) => await runCli(['--data', data, ...args], { env: disk.env })
  await command('init', '--root', folder.path, ...CHEAP_HASH)
  await using daemon = await startTestDaemon({ data, root: folder.path, env: disk.env })
  const body = JSON.stringify({ username: 'admin', password: PASSWORD })
  const signIn = async () => await (await fetch(`${daemon.url}api/login`, { method: 'POST', body })).text()
  const use = async (token: string) =>
    (await fetch(`${daemon.url}api/resources/`, { headers: { 'X-Auth': token } })).status
  const tokens = [await signIn(), await signIn(), await signIn()]
  disk.leave(0)
  const [device] = JSON.parse((await command('sessions', 'ls', '--json')).stdout) as { id: string }[]
  expect(await command('sessions', 'revoke', device?.id ?? '')).toMatchObject({ code: 0, stderr: '' })
  expect((await Promise.all(tokens.map(use))).toSorted()).toEqual([200, 200, 401])
  disk.leave(0)
  expect(await command('sessions', 'revoke', '--user', 'admin')).toMatchObject({ code: 0, stderr: '' })
  expect(await Promise.all(tokens.map(use))).toEqual([401, 401, 401])
})
