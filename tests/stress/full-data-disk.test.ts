import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCli } from '../helpers/run-cli.ts'
import { smallDisk } from '../helpers/small-disk.ts'
import { startTestDaemon } from '../helpers/test-daemon.ts'
import { PATIENCE } from '../helpers/test-store.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const PASSWORD = 'a long passphrase'

it('a full data disk keeps nobody signed in, and a start on it says so', async () => {
  using disk = smallDisk(8)
  await using folder = await tempFolder({ 'a.txt': 'hello' })
  const data = join(disk.path, 'data')
  await runCli(['--data', data, 'init', '--root', folder.path, '--password', PASSWORD])
  const how = { data, root: folder.path, env: disk.env }
  await using daemon = await startTestDaemon(how)
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
  // To free space one has to sign in.
  expect((await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status).toBe(200)
  expect(await sessions()).toEqual([])

  disk.empty()
  expect((await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status).toBe(200)
  await expect.poll(async () => (await sessions()).length, PATIENCE).toBe(2)

  const { stderr } = await daemon.stop()
  expect(stderr).toContain('kept in memory until there is room')
  disk.leave(0)
  const refused = await runCli(['--data', data, 'serve', folder.path, '--port', '0'], { env: disk.env })
  expect(refused).toMatchObject({ code: 8, stdout: '' })
  expect(refused.stderr).toMatch(/^filemgr: No space is left to save [^\n]*\n$/)
})
