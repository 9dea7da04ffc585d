import { once } from 'node:events'
import { createServer } from 'node:net'
import { readFile, stat } from 'node:fs/promises'
import { Agent, get, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { NodeState } from '../../src/domain/server/node.ts'
import { runCli, runCliJson, startCli } from '../helpers/cli/run-cli.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { freePort } from '../helpers/free-port.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { machinesOfFile, SOON } from './machines.ts'

const { postgres } = machinesOfFile()

/** `filemgr serve --processes`, with a database and a data folder of its own. */
async function startProcesses(count: number, args: readonly string[] = []) {
  const folder = await tempFolder({ 'files/a.txt': 'a' })
  const env = { FILEMGR_STORE: await postgres().database() }
  const data = folder.at('data')
  const daemon = await startTestDaemon({
    data,
    root: folder.at('files'),
    env,
    args: ['--processes', String(count), ...args],
  })
  return {
    daemon,
    data,
    env,
    files: folder.at('files'),
    /** The daemons that are alive, as every command sees them. */
    async nodes() {
      const { nodes } = await runCliJson<{ nodes: NodeState[] }>(['--data', data, 'status'], { env })
      return nodes.filter(({ isAlive }) => isAlive).map(({ pid }) => pid)
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Asks until stopped, by connections that are kept and by new ones. @returns what failed */
function load({ url }: TestDaemon) {
  const failures: string[] = []
  let isOver = false
  let answered = 0
  const ask = async (agent: Agent) => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    get(`${url}health`, { agent }, (reply) => {
      reply.resume()
      reply.once('error', (error) => resolve(error.message))
      reply.once('end', () => resolve(reply.statusCode === 200 ? undefined : `status ${reply.statusCode}`))
    }).once('error', (error) => resolve(error.message))
    const failure = await promise
    if (failure !== undefined) failures.push(failure)
    answered++
  }
  const client = async (keepAlive: boolean, wait: number) => {
    const agent = new Agent({ keepAlive })
    while (!isOver) {
      await ask(agent)
      if (wait > 0) await pause(wait)
    }
    agent.destroy()
  }
  const clients = [
    ...Array.from({ length: 4 }, async () => await client(true, 0)),
    ...Array.from({ length: 8 }, async (_, number) => await client(true, 130 * (number + 1))),
    ...Array.from({ length: 2 }, async () => await client(false, 0)),
  ]
  return {
    answered: () => answered,
    async stop() {
      isOver = true
      await Promise.all(clients)
      return failures
    },
  }
}

/** Saves a text of ten bytes, one every 300 ms. */
async function saveSlowly({ url, token }: TestDaemon): Promise<number> {
  const headers = { 'x-auth': token, 'content-length': '10' }
  const sent = request(`${url}api/resources/slow.txt`, { method: 'POST', headers })
  const reply = once(sent, 'response')
  for (let count = 0; count < 10; count++) {
    sent.write(String(count))
    await pause(300)
  }
  sent.end()
  const [{ statusCode = 0 }] = (await reply) as [{ statusCode?: number }]
  return statusCode
}

describe('filemgr serve --processes', () => {
  it('shares the requests of one port among daemons, each with metrics of its own', async () => {
    const port = await freePort()
    await using started = await startProcesses(3, ['--metrics', `127.0.0.1:${port}`])
    const { daemon, nodes } = started
    await vi.waitFor(async () => expect((await nodes()).toSorted()).toEqual(await childrenOf(daemon.pid)), SOON)
    const answered = async (number: number) => {
      const text = await (await fetch(`http://127.0.0.1:${port + number}/metrics`)).text()
      return Number(
        /^filemgr_http_requests_total\{operation="server.health",status="200"\} (\d+)$/m.exec(text)?.[1] ?? 0,
      )
    }
    let asked = 0
    await vi.waitFor(async () => {
      const asking = load(daemon)
      await pause(300)
      expect(await asking.stop()).toEqual([])
      asked += asking.answered()
      const counts = await Promise.all([0, 1, 2].map(answered))
      expect(counts.reduce((sum, count) => sum + count)).toBe(asked)
      expect(Math.min(...counts)).toBeGreaterThan(0)
    }, SOON)
  })

  it('replaces a daemon that was killed, while the others answer', async () => {
    await using started = await startProcesses(2)
    const { daemon, data, env } = started
    const before = await childrenOf(daemon.pid)
    // The one that commands talk to.
    const [first = 0, other = 0] = before
    process.kill(first, 'SIGKILL')
    for (let count = 0; count < 20; count++) expect((await fetch(`${daemon.url}health`)).status).toBe(200)
    expect(await runCli(['--data', data, 'users', 'ls', '--quiet'], { env })).toMatchObject({ code: 0, stdout: '1\n' })
    await vi.waitFor(async () => expect(await childrenOf(daemon.pid)).toHaveLength(2), SOON)
    expect(await childrenOf(daemon.pid)).toContain(other)
    await vi.waitFor(async () => expect((await started.nodes()).toSorted()).toEqual(await childrenOf(daemon.pid)), SOON)
    const { code, stderr } = await daemon.stop()
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('daemon 1 has ended and is started again: signal SIGKILL'),
    ])
  })

  it('replaces one daemon after another at SIGHUP, and no request fails', async () => {
    await using started = await startProcesses(2)
    const { daemon } = started
    const before = await childrenOf(daemon.pid)
    const asking = load(daemon)
    const saving = saveSlowly(daemon)
    await pause(200)
    process.kill(daemon.pid, 'SIGHUP')
    await vi.waitFor(async () => {
      const now = await started.nodes()
      expect(now).toHaveLength(2)
      expect(now.filter((pid) => before.includes(pid))).toEqual([])
    }, SOON)
    expect(await saving).toBe(200)
    expect(await readFile(`${started.files}/slow.txt`, 'utf8')).toBe('0123456789')
    expect(await asking.stop()).toEqual([])
    expect(asking.answered()).toBeGreaterThan(100)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('ends with all daemons at %s', async (signal) => {
    await using started = await startProcesses(3)
    const children = await childrenOf(started.daemon.pid)
    // As systemd and terminals do, which signal all of them.
    if (signal === 'SIGINT') for (const pid of children) process.kill(pid, signal)
    expect(await started.daemon.stop(signal)).toMatchObject({ code: 0, signal: null })
    expect(children).toHaveLength(3)
    for (const pid of children) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    expect(await runCli(['--data', started.data, 'status'], started)).toMatchObject({ code: 7 })
  })

  it('leaves no daemon behind when it is killed', async () => {
    await using started = await startProcesses(2)
    const children = await childrenOf(started.daemon.pid)
    await started.daemon.stop('SIGKILL')
    for (const pid of children) await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), SOON)
  })

  it('says once where it listens and what the first password is', async () => {
    await using folder = await tempFolder({ 'files/': '' })
    const env = { FILEMGR_STORE: await postgres().database() }
    const socket = folder.at('s.sock')
    const line = ['--data', folder.at('data'), 'serve', folder.at('files'), '--processes', '2', '--socket', socket]
    await using running = startCli([...line, '--socket-perm', '0620'], { env })
    await running.notice(/open, .*login#code=/)
    expect((await stat(socket)).mode & 0o777).toBe(0o620)
    running.kill('SIGTERM')
    const { code, stdout, stderr } = await running.ended()
    expect(code).toBe(0)
    expect(stdout).toMatch(/^filemgr \S+ serves \S+ at unix:\S+\n$/)
    expect(stderr.match(/with the password/g)).toHaveLength(1)
    expect(stderr.match(/stopping;/g)).toHaveLength(1)
  })

  it('fails to start as a single daemon does', async () => {
    await using taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    await using folder = await tempFolder({ 'files/': '' })
    const env = { FILEMGR_STORE: await postgres().database() }
    const start = async (args: readonly string[], processes: string) =>
      await runCli(['--data', folder.at('data'), 'serve', folder.at('files'), '--processes', processes, ...args], {
        env,
      })
    for (const args of [
      ['--port', String(port)],
      ['--cert', 'no.crt', '--key', 'no.key'],
      ['--json', '--port', String(port)],
    ]) {
      const alone = await start(args, '1')
      expect(alone).toMatchObject({ code: 2, stdout: '' })
      expect(await start(args, '2')).toEqual(alone)
    }
  })

  it('refuses a data folder that it uses already', async () => {
    await using started = await startProcesses(2)
    const { data, env, files, daemon } = started
    const line = ['--data', data, 'serve', files, '--port', '0', '--processes', '2']
    const { code, stderr } = await runCli(line, { env })
    expect([code, stderr]).toEqual([6, expect.stringContaining(`pid ${daemon.pid} at ${daemon.url}`)])
  })
})
