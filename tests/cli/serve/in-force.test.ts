import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestDaemon, type TestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore, type TestStore } from '../../helpers/cli/test-store.ts'
import { tempFolder, type TempFolder } from '../../helpers/temp-folder.ts'
import { containing } from '../../helpers/texts.ts'

interface Examined {
  readonly checks: readonly { name: string; state: string; skipped?: string; findings: readonly object[] }[]
}

describe('beside a daemon that was started with flags and variables,', () => {
  let store: TestStore
  let folder: TempFolder
  let daemon: TestDaemon
  beforeAll(async () => {
    store = await testStore()
    folder = await tempFolder()
    const args = ['--base-url', '/fb', '--log', 'x.log', '--enable-exec', '--trusted-proxies', '10.0.0.0/4']
    const env = { FILEMGR_READ_ONLY: 'true' }
    daemon = await startTestDaemon({ data: store.data, root: store.root, args, env, cwd: folder.path })
  })
  afterAll(async () => {
    await daemon[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
  })

  it('server get shows the values of the daemon, and their sources', async () => {
    expect(await store.json(['server', 'get'])).toMatchObject({
      baseURL: { value: '/fb', source: 'flag' },
      enableExec: { value: true, source: 'flag' },
      log: { value: 'x.log', source: 'flag' },
      readOnly: { value: true, source: 'environment' },
      address: { value: '127.0.0.1', source: 'default' },
    })
  })

  it('server get ignores a variable of its own environment', async () => {
    const env = { FILEMGR_BASE_URL: '/elsewhere' }
    expect(await store.json(['server', 'get', 'baseURL'], { env })).toEqual({ value: '/fb', source: 'flag' })
  })

  it('server set says that a flag overrides the value, and server get that a value waits for a restart', async () => {
    expect(await store.run(['server', 'set', 'baseURL=/x'])).toMatchObject({
      stderr: containing('baseURL stays as it is while a flag decides it'),
    })
    await store.run(['server', 'set', 'address=127.0.0.2'])
    expect(await store.run(['server', 'get', 'address'])).toMatchObject({
      stdout: containing('127.0.0.1'),
      stderr: containing('waits for a restart'),
    })
  })

  it('why, hooks and logs use the values of the daemon', async () => {
    expect(await store.json(['why', 'admin', 'delete', '/'])).toMatchObject({ allowed: false })
    expect(await store.json(['hooks', 'ls'])).toMatchObject({ running: true })
    await fetch(`${daemon.url}api/login`, { method: 'POST', body: '{"username":"admin"}' })
    expect(await store.run(['logs'])).toMatchObject({ code: 0, stdout: containing('/api/login: 403') })
  })

  it('doctor checks the values of the daemon', async () => {
    const { stdout } = await store.run(['doctor', '--json'])
    const { checks } = JSON.parse(stdout) as Examined
    expect(checks.find(({ name }) => name === 'proxy-headers')).toMatchObject({ state: 'fault' })
    expect(checks.find(({ name }) => name === 'websocket')?.skipped).toContain('to check a proxy, use --url')
    expect(checks.find(({ name }) => name === 'public-url')).toMatchObject({ state: 'ok' })
  })
})

it('doctor checks the certificate that a flag gave to the daemon', async () => {
  const { selfSigned } = await import('../../helpers/self-signed.ts')
  await using folder = await tempFolder()
  const { cert, key } = selfSigned(folder)
  await using store = await testStore()
  await using _daemon = await startTestDaemon({
    data: store.data,
    root: store.root,
    cwd: folder.path,
    args: ['--cert', cert.replace(`${folder.path}/`, ''), '--key', key.replace(`${folder.path}/`, '')],
  })
  const { checks } = JSON.parse((await store.run(['doctor', '--json'])).stdout) as Examined
  const states = Object.fromEntries(checks.map(({ name, state }) => [name, state]))
  expect(states).toMatchObject({ tls: 'ok', 'public-url': 'ok' })
})
