import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CHEAP_ACCOUNT } from '../../helpers/cheap-account.ts'
import { programLine } from '../../helpers/cli/program.ts'
import { bareEnvironment, runCli, startCli } from '../../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { storeWithToken, testStore } from '../../helpers/cli/test-store.ts'
import { smallDisk } from '../../helpers/disks/small-disk.ts'
import { freePort } from '../../helpers/free-port.ts'
import { containing } from '../../helpers/texts.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { eventually } from '../../helpers/patience.ts'

interface Ended {
  readonly code: number
  readonly stderr: string
}

/** Starts `filemgr` with the output of a shell's redirection, such as "> /dev/full". */
function startInto(redirection: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const line = ['-c', `exec "$0" "$@" ${redirection}`, ...programLine(), ...args]
  const ended = Promise.withResolvers<Ended>()
  const child = execFile('sh', line, { env: { ...bareEnvironment(), ...env } }, (error, _stdout, stderr) =>
    ended.resolve({ code: error === null ? 0 : Number(error.code), stderr }),
  )
  return { kill: () => child.kill(), ended: ended.promise }
}

const runInto = async (...args: Parameters<typeof startInto>): Promise<Ended> => await startInto(...args).ended

const NO_ROOM = 'standard output cannot be written (no space left)\n'

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

it('output for which a disk has only some room is not taken for complete', async () => {
  using disk = smallDisk(1)
  const [path, before] = [join(disk.path, 'help.txt'), 'x'.repeat(2000)]
  await writeFile(path, before)
  disk.leave(0)
  const { code, stderr } = await runInto(`>> ${path}`, ['--help'], disk.env)
  expect({ code, stderr }).toEqual({ code: 8, stderr: `filemgr: ${NO_ROOM}` })
  const { stdout: whole } = await runCli(['--help'])
  const written = await readFile(path, 'utf8')
  expect(written.length).toBeLessThan(before.length + whole.length)
  expect(`${before}${whole}`.startsWith(written)).toBe(true)
})

it.each([
  ['users', 'export', 'FILE'],
  ['settings', 'export', 'FILE'],
  ['backup', 'create', 'FILE'],
])('a full disk for a file is an error, and leaves no part of it: %s %s', async (...words) => {
  using disk = smallDisk(1)
  await using store = await testStore()
  const file = join(disk.path, 'file.json')
  disk.leave(0)
  const { code, stdout, stderr } = await store.runProcess([...words.map((word) => word.replace('FILE', file))], {
    env: disk.env,
  })
  expect({ code, stdout }).toEqual({ code: 8, stdout: '' })
  expect(stderr).toMatch(/^filemgr: .*no space.*\n$/i)
  expect(await readdir(disk.path)).not.toContain('file.json')
})

it('a download and a followed log end when their output has no room', async () => {
  await using store = await storeWithToken({ 'big.bin': Buffer.alloc(20_000_000) })
  await store.run(['settings', 'set', 'signup=true'])
  expect(await runInto('> /dev/full', ['--data', store.data, 'logs', '--audit', '--follow'])).toEqual({
    ...{ code: 8, stderr: `filemgr: the command was carried out, but ${NO_ROOM}` },
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
    ...{ code: 3, stdout: 'half' },
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
