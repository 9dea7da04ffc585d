import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../src/domain/server/audit.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore, type TestStore } from '../../helpers/cli/test-store.ts'
import { containing, matching } from '../../helpers/texts.ts'

describe('settings', () => {
  it('sets several values at once, as words and as flags, and prints a single one as plain text', async () => {
    await using store = await testStore()
    const set = await store.run([
      'settings',
      'set',
      'signup=true',
      'branding.name=Our files',
      'tus.chunkSize=20MB',
      '--file-mode',
      '0600',
    ])
    expect(set).toMatchObject({ code: 0, stdout: matching(/^SETTING +VALUE\n/) })
    expect((await store.run(['settings', 'get', 'branding.name'])).stdout).toBe('Our files\n')
    expect((await store.run(['settings', 'get', 'tus.chunkSize'])).stdout).toBe('20MiB\n')
    expect((await store.run(['settings', 'get', 'fileMode'])).stdout).toBe('0600\n')
    expect(await store.json(['settings', 'get', 'tus'])).toEqual({ chunkSize: 20_971_520, retryCount: 5 })
    expect(await store.json(['settings', 'get'])).toMatchObject({ signup: true, branding: { name: 'Our files' } })
  })

  it('resets values to their defaults', async () => {
    await using store = await testStore()
    await store.run(['settings', 'set', 'branding.name=Ours', 'shell=/bin/sh -c'])
    expect(await store.run(['settings', 'unset', 'branding.name', 'shell'])).toMatchObject({ code: 0 })
    expect(await store.json(['settings', 'get', 'branding.name'])).toBe('')
    expect(await store.json(['settings', 'get', 'shell'])).toEqual([])
  })

  it('takes effect at once in a running daemon', async () => {
    await using store = await testStore()
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    const set = await store.run(['settings', 'set', 'branding.name=Changed beneath it'])
    expect(set.stderr).toContain(`(pid ${daemon.pid}) uses it immediately`)
    await expect.poll(async () => await (await fetch(daemon.url)).text()).toContain('Changed beneath it')
  })

  it('are read, changed, exported and imported through a running daemon, whose log has their names only', async () => {
    await using store = await testStore({}, { tokenExpirationTime: '3h' })
    await using _daemon = await startTestDaemon({ data: store.data, root: store.root })
    const file = store.at('settings.yaml')
    expect(
      await store.run(['settings', 'set', 'recaptcha.secret=hush hush', 'recaptcha.key=site', 'signup=true']),
    ).toMatchObject({ code: 0 })
    expect(await store.run(['settings', 'export', file])).toMatchObject({ code: 0 })
    expect(await store.run(['settings', 'unset', 'signup'])).toMatchObject({ code: 0 })
    expect((await store.run(['settings', 'import', file, '--dry-run'])).stdout).toContain('signup: false → true')
    expect(await store.json(['settings', 'get', 'signup'])).toBe(false)
    expect(await store.run(['settings', 'import', file])).toMatchObject({ code: 0 })
    expect(await store.run(['config', 'set', '--branding.name', 'Ours', '--port', '9000'])).toMatchObject({ code: 0 })
    expect(await store.json(['settings', 'get'])).toMatchObject({
      signup: true,
      recaptcha: { secret: 'hush hush' },
      branding: { name: 'Ours' },
    })
    const { stdout } = await store.run(['settings', 'export', '--format', 'filebrowser'])
    expect(JSON.parse(stdout)).toMatchObject({
      settings: { branding: { name: 'Ours' } },
      server: { root: store.root, port: '9000', tokenExpirationTime: '3h' },
    })
    const logged = (await store.run(['logs', '--audit', '--json'])).stdout
    const entries = logged.trimEnd().split('\n')
    expect(entries.map((line) => JSON.parse(line) as AuditEntry).map(({ action, target }) => [action, target])).toEqual(
      [
        ['settings.update', 'signup recaptcha.key recaptcha.secret'],
        ['settings.update', 'signup'],
        ['settings.update', 'signup'],
        ['server.update', 'port'],
        ['settings.update', 'branding.name'],
      ],
    )
    expect(logged).not.toContain('hush')
  })
})

describe('server', () => {
  it('saves values and shows each with its source', async () => {
    await using store = await testStore()
    expect(await store.run(['server', 'set', 'port=9000'])).toMatchObject({ code: 0 })
    const env = { FILEMGR_ADDRESS: '127.0.0.9' }
    expect(await store.json(['server', 'get'], { env })).toMatchObject({
      port: { value: 9000, source: 'store' },
      root: { value: store.root, source: 'store' },
      address: { value: '127.0.0.9', source: 'environment' },
      log: { value: 'stderr', source: 'default' },
    })
    expect((await store.run(['server', 'get', 'port'])).stdout).toMatch(/^OPTION +VALUE +SOURCE\nport +9000 +store\n$/)
    expect((await store.run(['server', 'get', 'port', '--quiet'])).stdout).toBe('9000\n')
    await store.run(['server', 'unset', 'port'])
    expect(await store.json(['server', 'get', 'port'])).toEqual({ value: 8080, source: 'default' })
  })
})

describe('an invalid value changes nothing:', () => {
  let store: TestStore
  beforeAll(async () => (store = await testStore()))
  afterAll(async () => await store[Symbol.asyncDispose]())

  it.each([
    [['set', 'signup=perhaps'], 'signup must be true or false'],
    [['set', 'brandng.name=x'], 'did you mean branding.name?'],
    [['set', 'signup'], 'write name=value'],
    [['set'], 'nothing to set'],
    [['set', 'rules=[]'], 'rules'],
    [['set', 'signup=true', 'tus.chunkSize=0'], 'tus.chunkSize must be at least 1'],
    [['get', 'nothing'], 'nothing'],
  ])('settings %j is refused with exit code 2', async (args, message) => {
    const before = await store.saved()
    expect(await store.run(['settings', ...args])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: containing(message),
    })
    expect(await store.saved()).toBe(before)
  })

  it.each([
    [['set', 'port=70000'], 'port must be between 0 and 65535'],
    [['set', 'root=/nowhere/at/all'], 'does not exist'],
    [['set', 'enableExec=true'], 'not saved'],
    [['unset', 'prot'], 'did you mean port?'],
  ])('server %j is refused with exit code 2', async (args, message) => {
    const before = await store.saved()
    expect(await store.run(['server', ...args])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: containing(message),
    })
    expect(await store.saved()).toBe(before)
  })
})

describe('status', () => {
  it('ends with exit code 7 when no daemon runs', async () => {
    await using store = await testStore()
    expect(await store.run(['status'])).toMatchObject({
      code: 7,
      stdout: '',
      stderr: containing('filemgr serve'),
    })
    expect(await store.run(['open'])).toMatchObject({ code: 7, stdout: '' })
  })

  it('shows the address of the daemon, and which saved values wait for a restart', async () => {
    await using store = await testStore()
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    expect(await store.json(['status'])).toMatchObject({ running: true, pid: daemon.pid, url: daemon.url, waiting: [] })
    await store.run(['server', 'set', 'tokenExpirationTime=1h', 'port=9000'])
    const waiting = [{ key: 'tokenExpirationTime', inForce: '2h', saved: '1h' }]
    expect(await store.json(['status'])).toMatchObject({ waiting })
  })

  it('does not mistake the record of a killed daemon for a running one', async () => {
    await using store = await testStore()
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    await daemon.stop('SIGKILL')
    expect(await store.run(['status'])).toMatchObject({ code: 7 })
    await using next = await startTestDaemon({ data: store.data, root: store.root })
    expect(await store.json(['status'])).toMatchObject({ pid: next.pid })
  })
})
