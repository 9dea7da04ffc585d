import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import { createPasswordHasher } from '../../../src/platform/security/password-hasher.ts'
import { CHEAP_HASH } from '../../helpers/cheap-account.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { testStore, type TestStore } from '../../helpers/cli/test-store.ts'
import { containing } from '../../helpers/texts.ts'

const BCRYPT = '$2a$04$12nDXsyRefWUJRDQgOMkSucazTvRn4UULIJqCVNHJ/prk/XZPAcjS'
const FILE_BROWSER = [
  { id: 1, username: 'admin', password: BCRYPT, scope: '.', perm: { admin: true, share: true, download: true } },
  { id: 7, username: 'bobby', password: BCRYPT, scope: '/bob', viewmode: 'mosaic', lockpassword: true },
]

const names = async (store: TestStore) =>
  (await store.json<UserView[]>(['users', 'ls'])).map(({ username }) => username)

describe('users export and import', () => {
  it('move accounts with their passwords from one store to another', async () => {
    await using from = await testStore()
    await using to = await testStore()
    await using folder = await tempFolder()
    await from.run(['users', 'add', 'bob', ...CHEAP_HASH, '--scope', '/bob', '--lock-password'])
    for (const name of ['users.json', 'users.yaml']) {
      const file = folder.at(name)
      expect(await from.run(['users', 'export', file])).toMatchObject({ code: 0 })
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      const flags = name === 'users.json' ? [] : ['--overwrite']
      expect(await to.run(['users', 'import', file, ...flags])).toMatchObject({ code: flags.length === 0 ? 5 : 0 })
    }
    expect(await to.json(['users', 'show', 'bob'])).toEqual(await from.json(['users', 'show', 'bob']))
    const [one, other] = [
      await from.json<UserView[]>(['users', 'export']),
      await to.json<UserView[]>(['users', 'export']),
    ]
    // The administrator of the first start sees the same folder by another name.
    expect(other).toEqual(one.map((user) => (user.scope === '.' ? { ...user, scope: '/' } : user)))
    expect(await readdir(to.root)).toContain('bob')
  })

  it('keep accounts unchanged through a CSV table, in which no cell is a formula', async () => {
    await using from = await testStore()
    await using to = await testStore()
    await using folder = await tempFolder()
    const file = folder.at('users.csv')
    await from.run(['users', 'add', '=1+1', ...CHEAP_HASH, '--scope', '/a, b', '--commands', 'git ls'])
    await from.run(['rules', 'add', '/x "y"', '--user', '=1+1'])
    expect(await from.run(['users', 'export', file])).toMatchObject({ code: 0 })
    expect(await readFile(file, 'utf8')).toContain(`"'=1+1"`)
    expect(await to.run(['users', 'import', file, '--overwrite'])).toMatchObject({ code: 0 })
    expect(await to.json(['users', 'show', '=1+1'])).toEqual(await from.json(['users', 'show', '=1+1']))
  })

  it('accept a table with few columns, and name the line of an error', async () => {
    await using store = await testStore()
    await using folder = await tempFolder({ 'users.csv': 'username,scope,perm.share\nann,/ann,no\nben,,\n' })
    expect(await store.run(['users', 'import', folder.at('users.csv')])).toMatchObject({ code: 0 })
    expect(await store.json(['users', 'show', 'ann'])).toMatchObject({ scope: '/ann', perm: { share: false } })
    for (const [table, message] of [
      ['username,perm.share\ntom,no\neve,perhaps\n', 'users.csv line 3: perm.share must be true or false'],
      ['username,colour\ntom,red\n', 'unknown column "colour"'],
      ['username,rules\ntom,none\n', 'rules must be JSON'],
    ] as const) {
      await writeFile(folder.at('users.csv'), table)
      const { code, stderr } = await store.run(['users', 'import', folder.at('users.csv')])
      expect([code, stderr]).toEqual([2, containing(message)])
    }
    expect(await names(store)).toEqual(['admin', 'ann', 'ben'])
  })

  it('read what File Browser exports, and write what it imports', async () => {
    await using store = await testStore()
    await using folder = await tempFolder()
    const file = folder.at('old.json')
    await writeFile(file, JSON.stringify(FILE_BROWSER.slice(1)))
    expect(await store.json(['users', 'import', file])).toEqual({
      dryRun: false,
      added: ['bobby'],
      changed: [],
      removed: [],
      scopes: [{ username: 'bobby', scope: '/bob' }],
      withoutPassword: [],
    })
    expect(await store.json(['users', 'show', 'bobby'])).toMatchObject({
      id: 7,
      viewMode: 'mosaic',
      lockPassword: true,
    })
    const back = folder.at('back.yaml')
    const { stderr } = await store.run(['users', 'export', back, '--format', 'filebrowser'])
    expect(stderr).toContain('these users need a new password there: admin')
    expect(await readFile(back, 'utf8')).toContain('lockpassword: true')
  })

  it('change nothing when one account is invalid or already exists', async () => {
    await using store = await testStore()
    await using folder = await tempFolder()
    const file = folder.at('users.json')
    const attempt = async (list: unknown, ...flags: string[]) => {
      await writeFile(file, JSON.stringify(list))
      return (await store.run(['users', 'import', file, ...flags])).code
    }
    expect(await attempt(FILE_BROWSER)).toBe(5)
    expect(await attempt([FILE_BROWSER[1], { username: 'eve', password: 'in clear text' }])).toBe(2)
    expect(await attempt([FILE_BROWSER[1], { username: 'eve', perm: { share: true, download: false } }])).toBe(2)
    expect(await attempt([FILE_BROWSER[1], { ...FILE_BROWSER[1], id: 9 }])).toBe(2)
    expect(await attempt({})).toBe(2)
    expect(await attempt([FILE_BROWSER[1]], '--replace', '--yes')).toBe(4)
    expect(await store.run(['users', 'import', folder.at('none.json')])).toMatchObject({ code: 3 })
    expect(await names(store)).toEqual(['admin'])
  })

  it('show with --dry-run which home folders new accounts would get', async () => {
    await using store = await testStore()
    await using folder = await tempFolder({ 'users.csv': 'username,scope\na b,\na-b,\nben,/team\n' })
    await store.run(['settings', 'set', 'createUserDir=true'])
    const line = ['users', 'import', folder.at('users.csv')]
    const added = [
      'added: a b (/users/a-b), a-b (/users/a-b-2), ben (/team)\n',
      'without a password, so they cannot sign in with one: a b, a-b, ben\n',
    ].join('')
    expect((await store.run([...line, '--dry-run'])).stdout).toBe(`${added}nothing was changed: this was a dry run\n`)
    expect(await readdir(store.root)).toEqual([])
    expect((await store.run(line)).stdout).toBe(`${added}done\n`)
    expect(await readdir(join(store.root, 'users'))).toEqual(['a-b', 'a-b-2'])
  })

  it('show with --dry-run what --replace would do, and save the old list first', async () => {
    await using store = await testStore()
    await using folder = await tempFolder()
    await store.run(['users', 'export', folder.at('users.csv')])
    await store.run(['users', 'add', 'bob', ...CHEAP_HASH])
    await store.run(['shares', 'add', '/', '--user', 'bob'])
    const before = await store.json<object[]>(['users', 'export'])
    const file = folder.at('users.json')
    await writeFile(file, JSON.stringify(FILE_BROWSER))
    const plan = {
      added: ['bobby'],
      changed: ['admin'],
      removed: ['bob'],
      scopes: [{ username: 'bobby', scope: '/bob' }],
      withoutPassword: [],
    }
    const line = ['users', 'import', file, '--replace']
    expect(await store.json([...line, '--dry-run'])).toEqual({ dryRun: true, ...plan })
    // File Browser reads no CSV, so no old script needs that to work without --yes.
    const own = ['users', 'import', folder.at('users.csv'), '--replace']
    expect(await store.run(own)).toMatchObject({ code: 2, stderr: containing('Remove bob with their links') })
    expect(await names(store)).toEqual(['admin', 'bob'])
    expect(await store.json(line)).toEqual({ dryRun: false, ...plan })
    expect(await names(store)).toEqual(['admin', 'bobby'])
    expect(await store.json(['shares', 'ls'])).toEqual([])
    const backup = (await readdir(store.data)).find((name) => name.startsWith('users-before-import-')) ?? ''
    expect(JSON.parse(await readFile(join(store.data, backup), 'utf8'))).toEqual(before)
  })
})

describe('passwords of a table', () => {
  const signsIn = async (store: TestStore, username: string, password: string): Promise<boolean> => {
    const { hash } = await hashOfUser(store, username)
    return hash !== '' && (await createPasswordHasher().verify(password, hash))
  }
  const hashOfUser = async (store: TestStore, username: string) => {
    const all = await store.json<{ username: string; passwordHash: string }[]>(['users', 'export', '-'])
    return { hash: all.find((user) => user.username === username)?.passwordHash ?? '' }
  }

  it('are taken as they are, and hashes as hashes', async () => {
    await using store = await testStore()
    const secret = ` =a "long", passphrase `
    const table = `username,password\nann,"${secret.replaceAll('"', '""')}"\nben,${BCRYPT}\n`
    await using folder = await tempFolder({ 'users.CSV': table })
    const { code, stdout } = await store.run(['users', 'import', folder.at('users.CSV')])
    expect([code, stdout]).toEqual([0, 'added: ann (/), ben (/)\ndone\n'])
    expect(await signsIn(store, 'ann', secret)).toBe(true)
    expect(await hashOfUser(store, 'ben')).toEqual({ hash: BCRYPT })
    const before = await store.json(['users', 'export'])
    expect(await store.run(['users', 'import', folder.at('users.CSV'), '--overwrite'])).toMatchObject({ code: 0 })
    expect(await store.json(['users', 'export'])).toEqual(before)
  })

  it('are all judged before any account is made', async () => {
    await using store = await testStore()
    const table = 'username,password\nann,a long passphrase\nben,short\ntom,qwerty123456\n'
    await using folder = await tempFolder({
      'users.csv': table,
      'both.csv': `username,password,passwordHash\nann,x,${BCRYPT}\n`,
    })
    for (const flags of [[], ['--dry-run'], ['--generate-passwords', folder.at('list.csv')]]) {
      const { code, stderr } = await store.run(['users', 'import', folder.at('users.csv'), ...flags])
      expect(code).toBe(2)
      expect(stderr).toContain('"ben": password is too short, minimum length is 12; "tom": password is too easy')
    }
    const both = await store.run(['users', 'import', folder.at('both.csv')])
    expect(both).toMatchObject({ code: 2, stderr: containing('both.csv line 2 has both password and passwordHash') })
    expect(await names(store)).toEqual(['admin'])
    expect((await readdir(folder.path)).toSorted()).toEqual(['both.csv', 'users.csv'])
  })

  it('are generated for those without, into a new file for its owner only', async () => {
    await using store = await testStore()
    await using folder = await tempFolder({ 'users.csv': 'username,password\nann,a long passphrase\nben,\n=tom,\n' })
    const [file, list] = [folder.at('users.csv'), folder.at('list.csv')]
    const line = ['users', 'import', file, '--generate-passwords', list]
    const dry = await store.run([...line, '--dry-run'])
    expect(dry.stdout).toContain(`with a generated password, to be written to ${list}: ben, =tom\n`)
    expect(await readdir(folder.path)).toEqual(['users.csv'])
    expect(await store.json(line)).toMatchObject({
      added: ['ann', 'ben', '=tom'],
      withoutPassword: [],
      passwords: { file: list, users: ['ben', '=tom'] },
    })
    expect((await stat(list)).mode & 0o777).toBe(0o600)
    const [head, ben = '', tom = ''] = (await readFile(list, 'utf8')).split('\n')
    expect(head).toBe('username,password')
    expect(await signsIn(store, 'ben', ben.replace('ben,', ''))).toBe(true)
    expect(await signsIn(store, '=tom', tom.replace(`"'=tom",`, ''))).toBe(true)
    const again = await store.run([...line, '--overwrite'])
    expect(again).toMatchObject({ code: 0, stderr: containing('no password was generated') })
  })

  it('are not generated if the list cannot be written, and no account is made', async () => {
    await using store = await testStore()
    await using folder = await tempFolder({ 'users.json': '[{"username":"ann"}]', 'list.csv': 'kept' })
    for (const [list, code] of [
      ['list.csv', 5],
      ['nowhere/list.csv', 3],
      ['users.json/list.csv', 3],
    ] as const) {
      for (const flags of [[], ['--dry-run']]) {
        const line = ['users', 'import', folder.at('users.json'), '--generate-passwords', folder.at(list), ...flags]
        expect([list, (await store.run(line)).code]).toEqual([list, code])
      }
    }
    const line = ['users', 'import', folder.at('users.json'), '--generate-passwords']
    expect((await store.run([...line, '-'])).code).toBe(2)
    expect(await store.run([...line, '/dev/full'])).toMatchObject({ code: 5, stderr: containing('/dev/full exists') })
    expect(await readFile(folder.at('list.csv'), 'utf8')).toBe('kept')
    expect(await names(store)).toEqual(['admin'])
  })

  it('name those who have none', async () => {
    await using store = await testStore()
    const json = await store.run(['users', 'import', '-'], { stdin: JSON.stringify([{ username: 'ann' }]) })
    expect(json).toMatchObject({
      code: 0,
      stdout: containing('without a password, so they cannot sign in with one: ann\n'),
    })
    expect(json.stderr).toContain('filemgr users passwd NAME')
  })
})

describe('for scripts of File Browser,', () => {
  it('find, update and positional passwords work, and are not in the help', async () => {
    await using store = await testStore()
    expect(await store.run(['users', 'add', 'bob', 'another passphrase'])).toMatchObject({ code: 0 })
    expect(await store.json(['users', 'find', 'bob'])).toMatchObject({ username: 'bob' })
    expect(await store.json(['users', 'update', '2', '-u', 'rob', '-p', 'a third passphrase'])).toMatchObject({
      id: 2,
      username: 'rob',
    })
    const { stdout } = await store.run(['users', '--help'])
    expect(stdout).toMatch(/show \[options\] <user>/)
    expect(stdout).not.toMatch(/find|update|\[password\]/)
    expect((await store.run(['users', 'add', '--help'])).stdout).not.toContain('[password]')
  })

  it('hash --bcrypt prints what its quick setup and its users import accept', async () => {
    await using store = await testStore()
    const { stdout } = await store.run(['hash', '--bcrypt', 'a long passphrase'])
    expect(stdout).toMatch(/^\$2[aby]\$10\$[./A-Za-z0-9]{53}\n$/)
    expect(await store.run(['users', 'add', 'eve', '--password-hash', stdout.trim()])).toMatchObject({ code: 0 })
    expect(await store.run(['hash', '--bcrypt', 'x'.repeat(73)])).toMatchObject({ code: 2 })
  })

  it('the sign-in method is set by its old flags, and refused if nobody could sign in', async () => {
    await using store = await testStore()
    const set = async (...words: string[]) => await store.run(['settings', 'set', ...words])
    expect((await set('--auth.method=proxy', '--auth.header', 'X-User')).stderr).toContain('trusted proxies')
    await store.run(['server', 'set', 'trustedProxies=10.0.0.1'])
    expect(await set('--auth.method=proxy', '--auth.header', 'X-User')).toMatchObject({ code: 0 })
    expect((await store.run(['settings', 'get', 'auth.method'])).stdout).toBe('proxy\n')
    expect((await set('auth.method=hook', 'auth.command=no-such-program')).code).toBe(2)
    expect((await set('auth.method=hook', 'auth.command=/bin/true')).code).toBe(0)
    expect((await set('--recaptcha.key', 'k')).code).toBe(2)
    expect(
      (await set('--recaptcha.key', 'k', '--recaptcha.secret', 's', '--recaptcha.host', 'https://evil.example')).code,
    ).toBe(2)
    expect((await set('auth.method=json', '--recaptcha.key', 'k', '--recaptcha.secret', 's')).code).toBe(0)
  })

  it('a daemon that would trust any client does not start', async () => {
    await using store = await testStore()
    await store.run(['server', 'set', 'trustedProxies=10.0.0.1'])
    await store.run(['settings', 'set', 'auth.method=proxy', 'auth.header=X-User'])
    expect(await store.run(['server', 'unset', 'trustedProxies'])).toMatchObject({ code: 2 })
    const { code, stderr } = await store.run(['serve', '--port', '0', '--trusted-proxies', ''])
    expect([code, stderr]).toEqual([2, expect.stringContaining('trusted proxies')])
    await store.run(['settings', 'set', 'auth.method=noauth'])
    expect(await store.run(['serve', '--port', '0', '--address', '0.0.0.0'])).toMatchObject({ code: 2 })
  })
})
