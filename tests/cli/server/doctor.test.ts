import { createServer, request, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chmod, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore, type TestStore } from '../../helpers/cli/test-store.ts'

interface Report {
  readonly sound: boolean
  readonly checks: readonly { name: string; state: string; findings: { problem: string; fix: string }[] }[]
}

/** A sound data folder, and what `doctor` says about it. */
async function world() {
  const store = await testStore({}, { port: 0 })
  const doctor = async (words: readonly string[] = [], run: TestStore['runProcess'] = store.run) => {
    const { code, stdout, stderr } = await run(['doctor', '--json', ...words], { enforcePermissions: true })
    const { sound, checks } = JSON.parse(stdout) as Report
    return { code, stderr, sound, faults: checks.filter(({ state }) => state === 'fault') }
  }
  return Object.assign(store, { doctor })
}

it('doctor exits with 0 for a sound installation, with and without a daemon', async () => {
  await using here = await world()
  expect(await here.doctor()).toMatchObject({ code: 0, sound: true, faults: [] })
  await using _daemon = await startTestDaemon({ data: here.data, root: here.root })
  expect(await here.doctor()).toMatchObject({ code: 0, sound: true, faults: [] })
})

it('doctor exits with 1 if it finds faults, says how to fix them, and repairs nothing', async () => {
  await using here = await world()
  await chmod(here.data, 0o777)
  await writeFile(here.at('data/store.json'), '[]')
  // Without a store, the port is the usual one, which may be in use.
  const env = { FILEMGR_PORT: '0' }
  const { code, stdout, stderr } = await here.run(['doctor'], { env })
  expect(code).toBe(1)
  expect(stdout).toContain('FAULT  Data folder')
  expect(stdout).toContain(`→ chmod 700 ${here.data}`)
  expect(stdout).toContain(`the valid copy ${here.data}/store.json.1`)
  expect(stderr).toBe('filemgr: 2 faults found\n')
  expect(
    (await here.doctor([], async (words) => await here.run(words, { env }))).faults.map(({ name }) => name),
  ).toEqual(['data-folder', 'store'])
})

it('doctor reports a served folder that this account may not write to', async () => {
  await using here = await world()
  await chmod(here.root, 0o500)
  const { code, faults } = await here.doctor([], here.runProcess)
  expect([code, faults.map(({ name }) => name)]).toEqual([1, ['root']])
})

it('doctor checks the body limit and the base URL of the proxy in front', async () => {
  await using here = await world()
  await using daemon = await startTestDaemon({
    data: here.data,
    root: here.root,
    args: ['--base-url', '/fb'],
  })
  await using proxy = await proxyTo(daemon.url, 1_000_000)
  const sound = await here.doctor(['--url', `${proxy.url}fb`])
  expect(sound.faults.map(({ name }) => name)).toEqual(['body-limit'])
  expect(sound.faults[0]?.findings[0]?.fix).toContain('client_max_body_size')
  await using open = await proxyTo(daemon.url, Number.MAX_SAFE_INTEGER)
  expect(await here.doctor(['--url', `${open.url}fb/`])).toMatchObject({ code: 0 })
  expect((await here.doctor(['--url', open.url])).faults.map(({ name }) => name)).toEqual(['public-url'])
})

it('doctor reports a body limit when the proxy cuts the connection during a body', async () => {
  await using here = await world()
  await using daemon = await startTestDaemon({ data: here.data, root: here.root })
  await using proxy = await proxyTo(daemon.url, 1_000_000, (_incoming, answer) => {
    answer.writeContinue()
    answer.destroy()
  })
  const { faults } = await here.doctor(['--url', proxy.url])
  expect(faults.map(({ name }) => name)).toEqual(['body-limit'])
  expect(faults[0]?.findings[0]?.problem).toContain('cuts off requests')
})

/** Refuses a request before its body is sent, as nginx does. */
const tooLarge: RequestListener = (_incoming, answer) => void answer.writeHead(413, { connection: 'close' }).end()

/** A proxy that refuses bodies above a limit. */
async function proxyTo(target: string, limit: number, refuse: RequestListener = tooLarge) {
  const { hostname, port } = new URL(target)
  const pass: RequestListener = (incoming, answer) => {
    const { method, url: path, headers } = incoming
    const onward = request({ hostname, port, method, path, headers }, (reply: IncomingMessage) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    incoming.pipe(onward)
  }
  const server = createServer(pass)
  server.on('checkContinue', (incoming: IncomingMessage, answer: ServerResponse) => {
    if (Number(incoming.headers['content-length']) > limit) {
      refuse(incoming, answer)
      return
    }
    answer.writeContinue()
    pass(incoming, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
