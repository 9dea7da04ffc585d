import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { CHEAP_ACCOUNT } from '../../helpers/cheap-account.ts'
import { runCli, startCli } from '../../helpers/cli/run-cli.ts'
import { NO_ROOM, runInto, startInto } from '../../helpers/cli/run-into.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { storeWithToken, testStore } from '../../helpers/cli/test-store.ts'
import { freePort } from '../../helpers/free-port.ts'
import { containing } from '../../helpers/texts.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { eventually } from '../../helpers/patience.ts'

it.each([
  ['filemgr: ', ['--help']],
  ['filemgr: ', ['users', 'add', '--help']],
  ['filemgr: the command was carried out, but ', ['--version']],
  ['filemgr: the command was carried out, but ', ['completion', 'bash']],
  ['filemgr: the command was carried out, but ', ['users', 'export']],
  ['filemgr: the command was carried out, but ', ['users', 'ls', '--quiet']],
  ['filemgr: the command was carried out, but ', ['settings', 'export']],
  ['filemgr: ', ['backup', 'create', '-']],
])('a full disk behind standard output is an error: "%s…" for %j', async (before, args) => {
  await using store = await testStore()
  const { code, stderr } = await runInto('> /dev/full', ['--data', store.data, ...args])
  expect({ code, stderr }).toEqual({ code: 8, stderr: `${before}${NO_ROOM}` })
})

it('a first administrator is created even if there is no room for the password', async () => {
  await using folder = await tempFolder({ 'files/': '' })
  const args = ['--data', folder.at('data')]
  const { code, stderr } = await runInto('> /dev/full', [...args, 'init', '--root', folder.at('files')])
  expect({ code, stderr }).toEqual({ code: 8, stderr: `filemgr: the command was carried out, but ${NO_ROOM}` })
  expect(await runCli([...args, 'users', 'ls', '--quiet'])).toMatchObject({ code: 0, stdout: '1\n' })
})

it('a download and a followed log end when their output has no room', async () => {
  await using store = await storeWithToken({ 'big.bin': Buffer.alloc(20_000_000) })
  await store.run(['settings', 'set', 'signup=true'])
  expect(await runInto('> /dev/full', ['--data', store.data, 'logs', '--audit', '--follow'])).toEqual({
    code: 8,
    stderr: `filemgr: the command was carried out, but ${NO_ROOM}`,
  })
  await using daemon = await startTestDaemon({ data: store.data, root: store.root })
  const env = { FILEMGR_URL: daemon.url, FILEMGR_TOKEN: store.token }
  const { code, stderr } = await runInto('> /dev/full', ['get', '/big.bin', '-'], env)
  expect({ code, stderr }).toEqual({ code: 8, stderr: `filemgr: ${NO_ROOM}` })
})

it('a download to standard output that breaks off is an error', async () => {
  await using server = createServer((_request, reply) => {
    reply.writeHead(200, { 'content-length': 1000 })
    reply.write('half', () => reply.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const env = { FILEMGR_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, FILEMGR_TOKEN: 'a.b.c' }
  expect(await runCli(['get', '/a.txt', '-'], { env })).toMatchObject({
    code: 3,
    stdout: 'half',
    stderr: 'filemgr: the connection broke off; the output is incomplete\n',
  })
})

it('a reader that closes the pipe early is no error', async () => {
  await using store = await testStore()
  const { code, stderr } = await runInto('| head -c 1 > /dev/null', ['--data', store.data, 'users', 'export'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const args of [['--help'], ['init', '--help'], ['users', 'export'], ['users', 'ls', '--json'], ['doctor']]) {
    const gone = await runInto('| true', ['--data', store.data, ...args])
    expect({ args, code: gone.code, stderr: gone.stderr }).toEqual({ args, code: 0, stderr: '' })
  }
  await using running = startCli(['--help'])
  running.closeOutput()
  expect(await running.ended()).toMatchObject({ code: 0 })
})

it('a command whose reader has left does its work to the end, and records it', async () => {
  await using store = await testStore()
  const { code, stderr } = await runInto('| true', ['--data', store.data, 'settings', 'set', 'signup=true'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('EPIPE') as string })
  expect((await store.run(['settings', 'get', 'signup', '--quiet'])).stdout).toBe('true\n')
  expect((await store.run(['logs', '--audit', '--json'])).stdout).toMatch(/"settings.update".*"done"/)
})

it.each([
  [2, ['nonsense']],
  [2, ['users']],
  [3, ['users', 'show', 'nobody']],
  [0, ['settings', 'set', 'signup=true']],
])('a full disk behind standard error changes no exit code: %i for %j', async (code, args) => {
  await using store = await testStore()
  expect((await runInto('2> /dev/full > /dev/null', ['--data', store.data, ...args])).code).toBe(code)
})

it('a daemon serves although nothing can be written to its output', async () => {
  await using folder = await tempFolder({ 'files/': '' })
  const port = String(await freePort())
  const args = ['serve', folder.at('files'), '--data', folder.at('data'), '--port', port]
  const running = startInto('> /dev/full', args, CHEAP_ACCOUNT)
  await eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200))
  running.kill()
  expect(await running.ended).toMatchObject({ code: 0, stderr: containing('sign in as admin') })
  expect((await running.ended).stderr).toContain(`filemgr: ${NO_ROOM}`)
})
