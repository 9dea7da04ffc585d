import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHEAP_HASH } from '../../helpers/cheap-account.ts'
import { runOnTerminal } from '../../helpers/cli/on-terminal.ts'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { startTestDaemon, type TestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore } from '../../helpers/cli/test-store.ts'
import { tempFolder, type TempFolder } from '../../helpers/temp-folder.ts'
import { containing } from '../../helpers/texts.ts'

let folder: TempFolder
let daemon: TestDaemon
beforeAll(async () => {
  folder = await tempFolder()
  daemon = await startTestDaemon({ data: folder.at('data') })
})
afterAll(async () => {
  process.kill(daemon.pid, 'SIGCONT')
  await daemon[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const run = async (...words: string[]) =>
  await runCli(['--data', folder.at('data'), ...words], { env: { FILEMGR_URL: daemon.url, FILEMGR_TOKEN: 'token' } })

describe('beside a daemon that is stopped by a signal', () => {
  it('status, which health checks of the container and OpenRC use, fails and says how to continue it', async () => {
    expect(await run('status', '--quiet')).toEqual({ code: 0, signal: null, stdout: `${daemon.pid}\n`, stderr: '' })
    process.kill(daemon.pid, 'SIGSTOP')
    const stderr = `filemgr: the daemon with pid ${daemon.pid} does not answer; it is stopped: continue it with "kill -CONT ${daemon.pid}"\n`
    expect(await run('status', '--quiet')).toMatchObject({ code: 6, stdout: '', stderr })
  })

  it('all commands that need it end with one line, doctor names it, and work that lasts is waited for', async () => {
    // Its first reply comes after the limit for a server that is silent.
    await using slow = await slowServer(15_000)
    const env = { FILEMGR_URL: slow.url, FILEMGR_TOKEN: 'token' }
    const others = Promise.all([run('doctor'), runCli(['ls', '/'], { env })])
    process.kill(daemon.pid, 'SIGSTOP')
    const local = [
      ['jobs', 'ls'],
      ['quota', 'ls'],
      ['open'],
      ['users', 'set', 'admin', '--locale', 'fr'],
      ['serve', '/tmp'],
    ]
    const remote = [
      ['ls', '/'],
      ['put', import.meta.filename, '/'],
      ['get', '/a.txt', '-'],
      ['du', '/'],
    ]
    const answers = await Promise.all([...local, ...remote].map(async (words) => await run(...words)))
    expect(answers.map(({ code }) => code)).toEqual([...local.map(() => 6), ...remote.map(() => 3)])
    for (const { stderr } of answers) expect(stderr).toMatch(/^filemgr: [^\n]+\n$/)
    const [doctor, listing] = await others
    expect(doctor).toMatchObject({ code: 1, stdout: containing('kill -CONT') })
    expect(listing).toMatchObject({ code: 0, stderr: '' })
  })
})

it('users import keeps the list of generated passwords if the daemon may still make the accounts', async () => {
  await using store = await testStore({ 'users.json': '' })
  const kept = await store.json<object[]>(['users', 'export', '-'])
  const [file, list] = [join(store.root, 'users.json'), store.at('list.csv')]
  await writeFile(file, JSON.stringify([...kept, { username: 'ann' }]))
  await store.run(['users', 'add', 'bob', ...CHEAP_HASH])
  await using other = await startTestDaemon({ data: store.data, root: store.root })
  const line = ['--data', store.data, 'users', 'import', file, '--replace', '--generate-passwords', list]
  const stop = () => void process.kill(other.pid, 'SIGSTOP')
  const { code, screen } = await runOnTerminal(line, { when: /Remove bob/, keys: 'y\r', before: stop })
  process.kill(other.pid, 'SIGCONT')
  expect([code, screen]).toEqual([6, containing('does not answer')])
  const [, password = ''] = /^ann,(.*)$/m.exec(await readFile(list, 'utf8')) ?? []
  const body = JSON.stringify({ username: 'ann', password })
  const signIn = async () => (await fetch(`${other.url}api/login`, { method: 'POST', body })).status
  await expect.poll(signIn, { timeout: 10_000 }).toBe(200)
})

/** Answers health checks at once and all other requests late. */
async function slowServer(delay: number): Promise<{ url: string } & AsyncDisposable> {
  const reply = (body: string) =>
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (bytes) => {
      const isHealth = bytes.toString().includes('health/live')
      setTimeout(() => socket.end(reply(isHealth ? '{"status":"OK"}' : '{"items":[]}')), isHealth ? 0 : delay)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
