import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
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
      code: 2,
      stdout: '',
      stderr: containing('anyone who can reach 0.0.0.0 could do everything'),
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
    [['port=70000'], 'between 0 and 65535'],
    [['address=999.1.1.1'], 'neither an IP address nor a host name'],
    [['address=a b'], 'neither an IP address nor a host name'],
    [['metrics=1.2.3.400:80'], 'neither an IP address nor a host name'],
    [['metrics=localhost:99999'], 'between 0 and 65535'],
    [['log=foo'], 'use stdout, stderr or a file such as /var/log/filemgr.log'],
    [['accessLog=standard'], 'use stdout, stderr or a file'],
    [['log=syslog://host'], '"syslog:"'],
    [['cert=https://example.org/a.pem', 'key=b.pem'], '"https:"'],
    [['root=s4://bucket'], 'name a folder, or a bucket such as s3://BUCKET'],
    [['root=s3:/bucket'], 'name a folder, or a bucket such as s3://BUCKET'],
    [[`socket=/tmp/${'a'.repeat(110)}`], '107 bytes'],
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

describe('an address that filemgr does not know', () => {
  it.each([
    ['--data', 'mysql://db/files'],
    ['--data', 's3:/bucket'],
  ])('as the data folder is refused at every command: %s %s', async (...place) => {
    await using folder = await tempFolder()
    for (const line of [['users', 'ls'], ['init'], ['serve', '.'], ['backup', 'create', 'x.tar']]) {
      const { code, stderr } = await runHere([...place, ...line], { cwd: folder.path })
      expect({ line, code }).toEqual({ line, code: 2 })
      expect(stderr).toMatch(/^filemgr: --data does not take addresses with "(mysql|s3):"; [^\n]+\n$/)
    }
    for (const name of ['FILEMGR_DATA', 'FB_DATABASE'])
      expect(await runHere(['users', 'ls'], { env: { [name]: 'mysql://db/files' }, cwd: folder.path })).toMatchObject({
        code: 2,
      })
    expect(await readdir(folder.path)).toEqual([])
  })

  it('as the other store of a copy is refused, without showing its password', async () => {
    await using store = await testStore()
    for (const flag of ['--to', '--from']) {
      const line = ['store', 'copy', flag, 'mysql://root:s3cret@db/files']
      const { code, stderr } = await store.run(line, { cwd: store.root })
      expect({ code, stderr }).toEqual({ code: 2, stderr: containing(`${flag} does not take addresses with "mysql:"`) })
      expect(stderr).not.toContain('s3cret')
    }
    expect(await readdir(store.root)).toEqual([])
  })
})
