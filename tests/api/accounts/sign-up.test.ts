import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { PASSWORD, testApp, type TestApp, type TestAppInput } from '../../helpers/api/test-app.ts'

const SECRET = 'a long passphrase'
const OPEN = { settings: { signup: true } } satisfies TestAppInput

const signUp = async (server: TestApp, username: unknown, password: unknown = SECRET) =>
  await server.ask('POST', '/api/signup', { payload: JSON.stringify({ username, password }) })
const newest = ({ context }: TestApp) => context.store.snapshot().users.at(-1)

describe('POST /api/signup', () => {
  it('is refused by 405 while it is off, whatever the method and the body', async () => {
    await using server = await testApp()
    for (const method of ['POST', 'GET', 'PUT'] as const) {
      for (const payload of ['', '{', JSON.stringify({ username: 'eve', password: SECRET })]) {
        const answer = await server.ask(method, '/api/signup', { payload })
        expect([answer.statusCode, answer.body]).toEqual([405, '405 Method Not Allowed\n'])
      }
    }
  })

  it('creates an account and returns no token', async () => {
    await using server = await testApp(OPEN)
    const answer = await signUp(server, 'eve')
    expect([answer.statusCode, answer.body, answer.headers['set-cookie']]).toEqual([200, '200 OK\n', undefined])
    const login = { payload: JSON.stringify({ username: 'eve', password: SECRET }) }
    expect((await server.ask('POST', '/api/login', login)).statusCode).toBe(200)
  })

  it('CVE-2026-72839: gives each user a home, even if home folders are off and the defaults show everything', async () => {
    await using server = await testApp({ ...OPEN, files: { 'secret.txt': 'of others' } })
    await signUp(server, 'Sig Two!')
    expect(newest(server)).toMatchObject({ username: 'Sig Two!', scope: '/users/Sig-Two-' })
    const { body } = await server.ask('POST', '/api/login', {
      payload: JSON.stringify({ username: 'Sig Two!', password: SECRET }),
    })
    const listing = await server.ask('GET', '/api/resources/', { headers: { 'x-auth': body } })
    expect(listing.json<{ items: unknown[] }>().items).toEqual([])
  })

  it('CVE-2026-32760, CVE-2026-34528: gives no permission to administer or run commands, whatever the defaults', async () => {
    const perm = { admin: true, execute: true, share: true, download: false }
    await using server = await testApp({ settings: { signup: true, defaults: { perm, commands: ['sh'] } } })
    expect((await signUp(server, 'eve')).statusCode).toBe(200)
    expect(newest(server)).toMatchObject({
      commands: [],
      lockPassword: false,
      perm: { admin: false, execute: false, share: false, create: true },
    })
  })

  it.each([' eve', 'eve ', 'eve\u00a0', 'e\u200bve', 'e\u200dve', 'eve\ufeff', 'e\u2060ve', 'e\u00adve', 'eve\u3164'])(
    'refuses the name %j, which looks like that of eve, also from an administrator; an account that has it keeps it',
    async (name) => {
      await using server = await testApp(OPEN)
      const { users } = server.context.services
      const { id } = await users.create(OPERATOR, { username: 'eve', password: PASSWORD })
      expect((await signUp(server, name)).statusCode).toBe(400)
      const refused = expect.objectContaining({ code: 'INVALID_INPUT' }) as Error
      await expect(users.create(OPERATOR, { username: name, password: PASSWORD })).rejects.toEqual(refused)
      await expect(users.update(OPERATOR, id, { username: name })).rejects.toEqual(refused)
      await server.context.store.update((draft) => {
        for (const user of draft.users) if (user.id === id) user.username = name
      })
      await users.update(OPERATOR, id, { singleClick: true })
      const login = { payload: JSON.stringify({ username: name, password: PASSWORD }) }
      expect((await server.ask('POST', '/api/login', login)).statusCode).toBe(200)
    },
  )

  it.each(['sig one', 'Sig%One', 'sig+one'])(
    'GHSA-7rc3-g7h6-22m7: "%s" does not get into the home of "sig-one"',
    async (name) => {
      await using server = await testApp(OPEN)
      await signUp(server, 'sig-one')
      expect((await signUp(server, name)).statusCode).toBe(200)
      expect(newest(server)?.scope.normalize('NFKC').toLowerCase()).toBe('/users/sig-one-2')
    },
  )

  it.each([
    ['sig-one', ['SIG-ONE', 'ｓｉｇ-one', 'sіg-оne', 'sig-оnе', 'slg-One'.replace('l', 'I')]],
    ['admin', ['Admin', 'аdmin', 'αdmin', 'adrnin', 'ADMIN', 'admın']],
    ['l0la', ['IOla', '1OLA', 'lola']],
  ])('refuses names that look like "%s", as if they were taken', async (name, others) => {
    await using server = await testApp(OPEN)
    if (name !== 'admin') expect((await signUp(server, name)).statusCode).toBe(200)
    for (const other of others) expect([other, (await signUp(server, other)).statusCode]).toEqual([other, 409])
    for (const other of ['admon', 'sig-two', 'mail', 'mall']) expect((await signUp(server, other)).statusCode).toBe(200)
  })

  it('CVE-2026-72836: gives each user a separate home when many sign up at once', async () => {
    await using server = await testApp(OPEN)
    const names = ['b ob', 'b%ob', 'b-ob', 'b&ob']
    const answers = await Promise.all(names.map(async (name) => await signUp(server, name)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    const homes = server.context.store.snapshot().users.map(({ scope }) => scope.toLowerCase())
    expect(homes.toSorted()).toEqual(['.', '/users/b-ob', '/users/b-ob-2', '/users/b-ob-3', '/users/b-ob-4'])
  })

  it('uses no folder with content as home, nor one above the home of another user', async () => {
    await using server = await testApp({ ...OPEN, files: { 'users/left/diary.txt': 'private', 'users/empty/': '' } })
    await server.user('bob', {}, { scope: '/users/team/bob' })
    for (const [name, scope] of [
      ['left', '/users/left-2'],
      ['team', '/users/team-2'],
      ['empty', '/users/empty'],
    ] as const) {
      expect((await signUp(server, name)).statusCode).toBe(200)
      expect(newest(server)?.scope).toBe(scope)
    }
  })

  it.each([
    ['..%..%etc', '/users/-etc'],
    ['..hidden', '/users/hidden'],
    ['.filemgr-trash', '/users/filemgr-trash'],
    ['a:b|c', '/users/a-b-c'],
    ['x@y_z-1.2', '/users/x@y_z-1.2'],
    ['Jürgen', '/users/Jürgen'],
    ['Мария Иванова', '/users/Мария-Иванова'],
    ['हिन्दी', '/users/हिन्दी'],
    ['山田😀', '/users/山田-'],
    ['ж'.repeat(200), `/users/${'ж'.repeat(120)}`],
  ])('CVE-2026-30915: gives "%s" the home %s', async (name, scope) => {
    await using server = await testApp(OPEN)
    expect((await signUp(server, name)).statusCode).toBe(200)
    expect(newest(server)?.scope).toBe(scope)
  })

  it('refuses invalid names and passwords, in words that clients show', async () => {
    await using server = await testApp(OPEN)
    const refused = async (username: unknown, password?: unknown) => {
      const { statusCode, body } = await signUp(server, username, password)
      return `${statusCode} ${body}`
    }
    expect(await refused('')).toBe('400 400 Bad Request\n')
    expect(await refused('eve', '')).toBe('400 400 Bad Request\n')
    expect(await refused('eve', 'short')).toContain('(password is too short, minimum length is 12)')
    expect(await refused('eve', 'justinbieber')).toContain('(password is too easy)')
    expect(await refused('..')).toMatch(/^400 /)
    expect(await refused('eve\n')).toMatch(/^400 /)
    expect(await refused(5)).toMatch(/^400 /)
    expect(await refused('admin')).toBe('409 409 Conflict\n')
    expect((await server.ask('POST', '/api/signup', { payload: '{' })).statusCode).toBe(400)
    expect((await server.ask('POST', '/api/signup', { payload: 'x'.repeat(9000) })).statusCode).toBe(400)
    expect(server.context.store.snapshot().users).toHaveLength(1)
  })

  it('CVE-2025-52997: limits the sign-ups from one address', async () => {
    await using server = await testApp(OPEN)
    for (let count = 0; count < 30; count += 1) await signUp(server, 'admin')
    const answer = await signUp(server, 'eve')
    expect(answer.statusCode).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    server.context.clock.move(10 * 60_000)
    expect((await signUp(server, 'eve')).statusCode).toBe(200)
  })
})

it('a user whom an administrator creates never gets the home of another', async () => {
  await using server = await testApp({ settings: { createUserDir: true } })
  const admin = await server.admin()
  const create = async (username: string) => {
    const data = { username, password: SECRET, scope: '' }
    const payload = JSON.stringify({ what: 'user', which: [], current_password: PASSWORD, data })
    return (await admin.ask('POST', '/api/users', { payload })).statusCode
  }
  expect([await create('Bob'), await create('b..ob')]).toEqual([201, 201])
  expect(newest(server)?.scope).toBe('/users/bob-2')
})
