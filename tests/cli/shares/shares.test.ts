import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { testStore, type TestStore } from '../../helpers/cli/test-store.ts'
import { CHEAP_ACCOUNT, CHEAP_HASH } from '../../helpers/cheap-account.ts'
import { startCli } from '../../helpers/cli/run-cli.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

interface Listed {
  readonly hash: string
  readonly path: string
  readonly username: string
  readonly hasPassword: boolean
  readonly expires: string | null
  readonly remaining: number | null
  readonly target: string
  readonly url: string
}

const statusOf = async (base: string, hash: string, password?: string): Promise<number> => {
  const headers: Record<string, string> = password === undefined ? {} : { 'X-SHARE-PASSWORD': password }
  return (await fetch(`${base}api/public/share/${hash}`, { headers })).status
}

describe('shares', () => {
  it('creates, lists, shows, changes and deletes links, whether or not the daemon runs', async () => {
    await using store = await testStore({ 'docs/a.txt': 'a', 'home/b.txt': 'b' })
    const flags = ['--expires', '7d', '--share-password', 's3cret']
    const made = await store.json<Listed>(['shares', 'add', '/docs', '--user', 'admin', ...flags])
    expect(made).toMatchObject({ path: '/docs', username: 'admin', hasPassword: true, target: 'bound' })
    expect(made.remaining).toBeGreaterThan(7 * 86_400 - 60)
    expect(made.url).toBe(`http://127.0.0.1:8080/share/${made.hash}`)
    expect(await store.json<Listed[]>(['shares', 'ls'])).toMatchObject([{ hash: made.hash }])

    // A cheaper hash than for accounts, at the recommended minimum.
    expect(await readFile(join(store.data, 'store.json'), 'utf8')).toContain('$argon2id$v=19$m=19456,t=2,p=1$')

    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    expect(await statusOf(daemon.url, made.hash)).toBe(401)
    expect(await statusOf(daemon.url, made.hash, 's3cret')).toBe(200)
    const { stdout } = await store.run(['shares', 'add', 'docs/a.txt', '--share-password-stdin'], { stdin: 'other\n' })
    expect(stdout).toMatch(new RegExp(`^${daemon.url}share/[\\w-]{16}\n$`))
    const second = stdout.trim().split('/').at(-1) ?? ''
    await expect.poll(async () => await statusOf(daemon.url, second, 'other')).toBe(200)

    const changed = await store.json<Listed>(['shares', 'set', made.hash, '--expires', 'never', '--clear-password'])
    expect(changed).toMatchObject({ expires: null, remaining: null, hasPassword: false })
    await expect.poll(async () => await statusOf(daemon.url, made.hash)).toBe(200)

    await rename(join(store.root, 'docs'), join(store.root, 'away'))
    await mkdir(join(store.root, 'docs'))
    expect(await statusOf(daemon.url, made.hash)).toBe(404)
    expect((await store.run(['shares', 'show', made.hash])).stdout).toMatch(/target +changed/)
    expect(await store.json(['shares', 'set', made.hash, '--rebind'])).toMatchObject({ target: 'bound' })
    await expect.poll(async () => await statusOf(daemon.url, made.hash)).toBe(200)

    expect(await store.run(['shares', 'rm', made.hash])).toMatchObject({ code: 2 })
    expect(await store.json(['shares', 'rm', made.hash, '--yes'])).toMatchObject({ hash: made.hash })
    await expect.poll(async () => await statusOf(daemon.url, made.hash)).toBe(404)
    expect((await store.run(['shares', 'ls', '--quiet'])).stdout).toBe(`${second}\n`)
  })

  it('acts for the user that it names, with their permissions and rules', async () => {
    await using store = await testStore({ 'home/b.txt': 'b' })
    const bob = ['users', 'add', 'bob', ...CHEAP_HASH, '--scope', '/home']
    await store.run([...bob, '--perm.share=false'])
    expect(await store.run(['shares', 'add', '/b.txt', '--user', 'bob'])).toMatchObject({ code: 4 })
    await store.run(['users', 'set', 'bob', '--perm.share'])
    expect(await store.json(['shares', 'add', '/b.txt', '--user', 'bob'])).toMatchObject({ username: 'bob' })
    expect(await store.json<Listed[]>(['shares', 'ls', '--user', 'bob'])).toHaveLength(1)
    expect(await store.json<Listed[]>(['shares', 'ls', '--user', 'admin'])).toHaveLength(0)
  })

  it('creates links that receive files, and lists what has arrived', async () => {
    await using store = await testStore({ 'docs/a.txt': 'a' })
    const flags = ['--allow', 'upload', '--max-total', '20GB', '--types', '.JPG, png', '--ask-name', '--slug', 'inbox']
    const made = await store.run(['shares', 'add', '/docs', ...flags])
    expect(made.stdout).toMatch(/\/share\/inbox\n$/)
    expect(made.stderr).toContain('can be guessed')
    expect(
      await store.json(['shares', 'set', 'inbox', '--max-files', '3', '--no-ask-name', '--title', 'Photos']),
    ).toMatchObject({
      terms: {
        allows: 'upload',
        maxBytes: 20 * 1024 ** 3,
        types: ['jpg', 'png'],
        maxFiles: 3,
        asksName: false,
        title: 'Photos',
      },
    })
    expect((await store.run(['shares', 'show', 'inbox'])).stdout).toMatch(/files received +0 of 3\n/)
    expect(await store.json(['shares', 'arrivals', 'inbox'])).toEqual([])
    expect(await store.run(['shares', 'set', 'inbox', '--max-file', 'big'])).toMatchObject({ code: 2 })
  })

  it('prunes expired links, which --dry-run lists first', async () => {
    await using store = await testStore({ 'a.txt': 'a' })
    const stays = await store.json<Listed>(['shares', 'add', '/a.txt'])
    const { hash } = await store.json<Listed>(['shares', 'add', '/a.txt', '--expires', '1s'])
    const expired = async () =>
      (await store.json<Listed[]>(['shares', 'prune', '--dry-run'])).map((share) => share.hash)
    await expect.poll(expired).toEqual([hash])
    expect(await store.run(['shares', 'prune'])).toMatchObject({ code: 2 })
    expect(await store.json(['shares', 'prune', '--yes'])).toMatchObject([{ hash }])
    expect(await store.json(['shares', 'prune'])).toEqual([])
    expect(await store.json<Listed[]>(['shares', 'ls'])).toMatchObject([{ hash: stays.hash }])
  })
})

describe('an invalid shares command', () => {
  let store: TestStore
  beforeAll(async () => (store = await testStore({ 'a.txt': 'a' })))
  afterAll(async () => await store[Symbol.asyncDispose]())

  it.each([
    [['add', '/nothing'], 3],
    [['add', '/a.txt', '--user', 'nobody'], 3],
    [['add', '/a.txt', '--expires', 'soon'], 2],
    [['add', '/a.txt', '--expires', '10 days'], 2],
    [['add', '/a.txt', '--expires', '2001-10-01'], 2],
    [['add', '/a.txt', '--share-password', ''], 2],
    [['add', '/a.txt', '--share-password', 'x', '--share-password-stdin'], 2],
    [['show', 'unknown'], 3],
    [['set', 'unknown', '--expires', '1d'], 3],
    [['set', 'unknown'], 2],
    [['set', 'unknown', '--share-password', 'x', '--clear-password'], 2],
    [['rm', 'unknown', '--yes'], 3],
  ])('%j ends with exit code %i and one line', async (args, code) => {
    const failed = await store.run(['shares', ...args])
    expect(failed).toMatchObject({ code, stdout: '' })
    expect(failed.stderr).toMatch(/^filemgr: [^\n]+\n$/)
  })
})

describe('serve --share', () => {
  it('prints a public link at once, also in the JSON line', async () => {
    await using folder = await tempFolder({ 'a.txt': 'alpha' })
    const args = ['--share', '--expires', '2h', '--share-password', 'open']
    await using running = startCli(['serve', folder.path, '--ephemeral', '--port', '0', '--json', ...args], {
      env: CHEAP_ACCOUNT,
    })
    const { url, share } = JSON.parse(await running.firstLine()) as { url: string; share: string }
    const hash = share.slice(`${url}share/`.length)
    expect(share).toBe(`${url}share/${hash}`)
    expect([await statusOf(url, hash), await statusOf(url, hash, 'open')]).toEqual([401, 200])
    running.kill('SIGTERM')
    expect(await running.ended()).toMatchObject({ code: 0 })
  })

  it('prints the same plain link at each start with the same data', async () => {
    await using store = await testStore({ 'a.txt': 'a' })
    const hashes: string[] = []
    for (const args of [['--share'], ['--share'], ['--share', '--expires', '1d']]) {
      await using daemon = await startTestDaemon({ data: store.data, root: store.root, args })
      hashes.push(...(await store.json<Listed[]>(['shares', 'ls'])).map(({ hash }) => hash))
      await daemon.stop()
    }
    expect(hashes).toHaveLength(4)
    expect(new Set(hashes.slice(0, 3)).size).toBe(1)
  })

  it.each([
    [['--expires', '2h'], /need --share/],
    [['--share', '--expires', 'soon'], /--expires takes a duration/],
  ])('refuses %j before it creates anything', async (args, reason) => {
    await using folder = await tempFolder({ 'files/': '' })
    await writeFile(folder.at('files/a.txt'), 'a')
    const line = ['--data', folder.at('data'), 'serve', folder.at('files'), '--port', '0', ...args]
    const failed = await runHere(line)
    expect(failed).toMatchObject({ code: 2, stdout: '' })
    expect(failed.stderr).toMatch(reason)
  })
})

describe('grants', () => {
  it('share, list, change and end what users share with each other', async () => {
    await using store = await testStore({ 'docs/a.txt': 'a' })
    await store.run(['users', 'add', 'bob', '--generate-password'])
    const made = await store.json<{ id: string }>(['grants', 'add', '/docs', '--user', 'admin', '--to', 'bob'])
    expect(made).toMatchObject({ owner: 'admin', path: '/docs', to: { kind: 'user', name: 'bob' }, allows: 'download' })
    expect(await store.json(['grants', 'ls', '--user', 'admin'])).toEqual([made])
    expect(await store.json(['grants', 'ls', '--user', 'bob'])).toEqual([])
    expect(await store.json(['grants', 'set', made.id, '--allow', 'view'])).toMatchObject({ allows: 'view' })
    const until = async (when: string) => await store.json(['grants', 'set', made.id, '--expires', when])
    expect(await until('2999-12-31T18:00Z')).toMatchObject({ expires: '2999-12-31T18:00:00.000Z' })
    expect(await until('2999-12-31')).toMatchObject({ expires: new Date('2999-12-31T00:00').toISOString() })
    expect(await until('never')).toMatchObject({ expires: null })
    expect((await store.run(['grants', 'add', '/docs', '--user', 'admin', '--to', 'nobody'])).code).not.toBe(0)
    expect((await store.run(['grants', 'set', made.id, '--allow', 'all'])).stderr).toContain('view, download, edit')
    expect((await store.run(['grants', 'rm', made.id, '--yes'])).code).toBe(0)
    expect(await store.json(['grants', 'ls'])).toEqual([])
  })
})
