import { describe, expect, it } from 'vitest'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import { CHEAP_HASH } from '../../helpers/cheap-account.ts'
import { runOnTerminal } from '../../helpers/cli/on-terminal.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { storeWithToken, testStore } from '../../helpers/cli/test-store.ts'
import { containing } from '../../helpers/texts.ts'

const BOB = ['users', 'add', 'bob', ...CHEAP_HASH]

describe('users', () => {
  it('adds an account with the given values, and the defaults for new users', async () => {
    await using store = await testStore()
    await store.run(['settings', 'set', 'defaults.locale=de', 'defaults.perm.share=false'])
    const bob = await store.json<UserView>([...BOB, '--scope', '/bob', '--perm.create=false'])
    expect(bob).toMatchObject({ id: 2, username: 'bob', password: '', scope: '/bob', locale: 'de' })
    expect(bob.perm).toMatchObject({ admin: false, create: false, share: false, download: true })
    expect(await store.json<UserView[]>(['users', 'ls'])).toMatchObject([{ username: 'admin' }, bob])
  })

  it('takes the password from a file, or generates one and prints it once', async () => {
    await using store = await testStore({ 'secret.txt': 'from the file\nand no more\n', 'empty.txt': '' })
    const add = async (name: string, ...flags: string[]) => await store.run(['users', 'add', name, ...flags])
    expect(await add('bob', '--password-file', `${store.root}/secret.txt`)).toMatchObject({ code: 0 })
    const { password } = await store.json<UserView>(['users', 'add', 'eve', '--generate-password'])
    expect(password).toMatch(/^[\w-]{20}$/)
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    const signIn = async (username: string, secret: string) =>
      (await fetch(`${daemon.url}api/login`, { method: 'POST', body: JSON.stringify({ username, password: secret }) }))
        .status
    expect([await signIn('bob', 'from the file'), await signIn('eve', password)]).toEqual([200, 200])
    expect((await store.json<UserView[]>(['users', 'ls'])).map((user) => user.password)).toEqual(['', '', ''])
    for (const flags of [
      ['--password-file', `${store.root}/empty.txt`],
      ['--password-file', `${store.root}/none.txt`],
      ['--generate-password', '--quiet'],
      ['--generate-password', '--password', 'another passphrase'],
    ]) {
      expect(await add('tom', ...flags)).toMatchObject({ code: 2, stdout: '' })
    }
  })

  it('changes only the given values', async () => {
    await using store = await testStore()
    const before = await store.json<UserView>([...BOB, '--perm.delete=false'])
    const after = await store.json<UserView>([
      'users',
      'set',
      'bob',
      '--locale',
      'fr',
      '--view-mode',
      'mosaic',
      '--lock-password',
      '--perm.share=false',
    ])
    expect(after).toEqual({
      ...before,
      locale: 'fr',
      viewMode: 'mosaic',
      lockPassword: true,
      perm: { ...before.perm, share: false },
    })
  })

  it('finds a user by name, by id, and by a number that is no username', async () => {
    await using store = await testStore()
    await store.run(['users', 'add', '1', ...CHEAP_HASH])
    const id = async (name: string) => (await store.json<UserView>(['users', 'show', name])).id
    expect(await id('admin')).toBe(1)
    expect(await id('1')).toBe(2)
    expect(await id('id:1')).toBe(1)
    expect(await id('2')).toBe(2)
    expect(await store.run(['users', 'show', 'nobody'])).toMatchObject({ code: 3, stdout: '' })
  })

  it('prints tables, and ids alone with --quiet', async () => {
    await using store = await testStore()
    expect((await store.run(['users', 'ls'])).stdout).toMatch(/^ID +USER +.*\n1 +admin +\S+ +en /)
    expect((await store.run(['users', 'ls', '--quiet'])).stdout).toBe('1\n')
    expect((await store.run(['users', 'show', 'admin'])).stdout).toMatch(/^FIELD +VALUE\nid +1\nusername +admin\n/)
  })

  it('refuses a taken name with exit code 5 and a weak password with exit code 2', async () => {
    await using store = await testStore()
    expect(await store.run(['users', 'add', 'admin', '--password', 'another passphrase'])).toMatchObject({ code: 5 })
    expect(await store.run(['users', 'add', 'bob', '--password', 'short'])).toMatchObject({ code: 2 })
    expect(await store.run(['users', 'add', 'bob'])).toMatchObject({
      code: 2,
      stderr: containing('--password-stdin'),
    })
    expect((await store.run(['users', 'ls', '--quiet'])).stdout).toBe('1\n')
  })

  it('removes a user, asking only on a terminal, as scripts for File Browser expect', async () => {
    await using store = await testStore()
    await store.run(BOB)
    expect(await store.run(['users', 'rm', 'bob'])).toMatchObject({ code: 0, stderr: '' })
    expect(await store.run(['users', 'rm', 'bob', '--yes'])).toMatchObject({ code: 3 })
    await store.run(BOB)
    const talk = { when: /Remove bob and their links and sessions\?[^]*Yes[^]*No/, keys: 'n' }
    expect(await runOnTerminal(['--data', store.data, 'users', 'rm', 'bob'], talk)).toMatchObject({ code: 130 })
    expect(await store.run(['users', 'show', 'bob'])).toMatchObject({ code: 0 })
  })

  it('does not remove the last administrator', async () => {
    await using store = await testStore()
    expect(await store.run(['users', 'rm', 'admin', '--yes'])).toMatchObject({ code: 4 })
    expect((await store.run(['users', 'ls', '--quiet'])).stdout).toBe('1\n')
  })
})

describe('users beside a running daemon', () => {
  it('lets a new user sign in at once, and after a password change only with the new one', async () => {
    await using store = await testStore()
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    const signIn = async (password: string) => {
      const body = JSON.stringify({ username: 'bob', password })
      return (await fetch(`${daemon.url}api/login`, { method: 'POST', body })).status
    }
    await store.run(['users', 'add', 'bob', '--password', 'another passphrase'])
    await expect.poll(async () => await signIn('another passphrase')).toBe(200)
    const passwd = await store.run(['users', 'passwd', 'bob', '--password-stdin'], { stdin: 'a third passphrase\n' })
    expect(passwd).toMatchObject({ code: 0, stdout: 'the password of bob is set\n' })
    await expect.poll(async () => await signIn('a third passphrase')).toBe(200)
    expect(await signIn('another passphrase')).toBe(403)
  })

  it('withdraws a permission from the next request on', async () => {
    await using store = await storeWithToken({ 'a.txt': 'a' })
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    const raw = async () => (await fetch(`${daemon.url}api/raw/a.txt`, { headers: { 'X-Auth': store.token } })).status
    expect(await raw()).toBe(200)
    await store.run(['users', 'set', 'admin', '--perm.download=false', '--perm.share=false'])
    await expect.poll(raw).toBe(202)
  })
})
