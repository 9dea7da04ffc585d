import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore, type TestStore } from '../../helpers/cli/test-store.ts'
import { containing } from '../../helpers/texts.ts'

describe('start-up values', () => {
  it('are not changed or removed if the next start would then fail, and the error says why', async () => {
    await using store = await testStore()
    await store.run(['server', 'set', 'trustedProxies=10.0.0.1', 'noAuthRemote=true', 'address=0.0.0.0'])
    await store.run(['settings', 'set', 'auth.method=proxy', 'auth.header=X-Forwarded-User'])
    const refused = { code: 2, stdout: '', stderr: containing('needs the list of trusted proxies') }
    expect(await store.run(['server', 'unset', 'trustedProxies'])).toMatchObject(refused)
    expect(await store.run(['server', 'set', 'trustedProxies='])).toMatchObject(refused)
    await store.run(['settings', 'set', 'auth.method=noauth'])
    expect(await store.run(['server', 'unset', 'noAuthRemote'])).toMatchObject({
      ...{ code: 2, stdout: '', stderr: containing('anyone who can reach 0.0.0.0 could do everything') },
    })
    // With the variable, the next start works.
    const env = { FILEMGR_NO_AUTH_REMOTE: 'true' }
    expect(await store.run(['server', 'unset', 'noAuthRemote'], { env })).toMatchObject({ code: 0 })
    expect(await store.run(['server', 'unset', 'port'])).toMatchObject({ code: 0 })
  })

  it('saved beside a running daemon apply after its restart, and status lists them until then', async () => {
    await using store = await testStore()
    await using _daemon = await startTestDaemon({ data: store.data, root: store.root })
    const set = await store.run(['server', 'set', 'baseURL=/files', 'readOnly=true'])
    expect(set).toMatchObject({ code: 0, stderr: containing('to use it') })
    const { waiting } = await store.json<{ waiting: object[] }>(['status'])
    expect(waiting).toEqual([
      { key: 'baseURL', inForce: '', saved: '/files' },
      { key: 'readOnly', inForce: false, saved: true },
    ])
    await store.run(['server', 'unset', 'baseURL', 'readOnly'])
    expect(await store.json(['status'])).toMatchObject({ waiting: [] })
  })

  it('are shown with their source', async () => {
    await using store = await testStore()
    await store.run(['server', 'set', 'port=9000'])
    expect(await store.json(['server', 'get', 'port'])).toEqual({ value: 9000, source: 'store' })
    expect(await store.json(['server', 'get', 'port'], { env: { FILEMGR_PORT: '9001' } })).toEqual({
      value: 9001,
      source: 'environment',
    })
  })
})

describe('an invalid start-up value', () => {
  let store: TestStore
  beforeAll(async () => (store = await testStore()))
  afterAll(async () => await store[Symbol.asyncDispose]())

  it.each([
    [['root=/nowhere/at/all'], 'does not exist'],
    [['cert=/etc/hostname'], '--key'],
    [['tokenExpirationTime=soon'], 'must be a duration'],
    [['socketPerm=rw'], 'must look like 0660'],
    [['noAuth=true', 'address=0.0.0.0'], '--no-auth-remote'],
    [['trustedProxies=proxy.example'], 'proxy.example'],
    [['log=/nowhere/at/all/x.log'], 'make it first'],
    [['enableExec=true'], 'give it to "filemgr serve"'],
    [['port=9000', 'port=high'], 'must be a whole number'],
  ])('%j is refused with exit code 2, and nothing is saved', async (args, message) => {
    const before = await store.saved()
    expect(await store.run(['server', 'set', ...args])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: containing(message),
    })
    expect(await store.saved()).toBe(before)
  })
})
