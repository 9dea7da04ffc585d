import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { UserId } from '../../../src/domain/ids.ts'
import { PASSWORD, testApp } from '../../helpers/api/test-app.ts'

const PAGE = { origin: 'http://localhost', 'sec-fetch-site': 'same-origin', 'x-filemgr-page': '1' }

const credentials = (username: string, password: string) => ({ payload: JSON.stringify({ username, password }) })

describe('POST /api/login', () => {
  it('answers the bare token and sets a cookie that no script can read', async () => {
    await using server = await testApp()
    await server.user('ann')
    const answer = await server.ask('POST', '/api/login', { ...credentials('ann', PASSWORD), headers: PAGE })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/plain')
    expect(answer.body.split('.')).toHaveLength(3)
    expect(answer.headers['set-cookie']).toBe(`auth=${answer.body}; Path=/; HttpOnly; SameSite=Strict`)
  })

  const OTHERS: Readonly<Record<string, Record<string, string>>> = {
    'a program, which would be signed in by it without knowing': {},
    'the page of File Browser, which could not take it away at the sign-out': {
      origin: 'http://localhost',
      'sec-fetch-site': 'same-origin',
    },
    'a form of another site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    'a page of another port': { ...PAGE, 'sec-fetch-site': 'same-site' },
  }

  it.each(Object.entries(OTHERS))('sets no cookie for %s', async (_, headers) => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const code = await server.context.services.auth.issueCode(1 as UserId)
    const answers = [
      await server.ask('POST', '/api/login', { ...credentials('ann', PASSWORD), headers }),
      await server.ask('POST', '/api/login/code', { payload: JSON.stringify({ code }), headers }),
      await ann.ask('POST', '/api/renew', { headers }),
    ]
    const statuses = answers.map(({ statusCode }) => statusCode)
    const isElsewhere = !['same-origin', undefined].includes(headers['sec-fetch-site'])
    expect(statuses).toEqual([200, 200, isElsewhere ? 401 : 200])
    expect(answers.map((answer) => answer.headers['set-cookie'])).toEqual([undefined, undefined, undefined])
  })

  it('keeps the cookie to the base URL', async () => {
    await using server = await testApp({ options: { baseURL: '/fb/' } })
    await server.user('ann')
    const answer = await server.ask('POST', '/fb/api/login', { ...credentials('ann', PASSWORD), headers: PAGE })
    expect(answer.headers['set-cookie']).toContain('; Path=/fb;')
  })

  it('marks the cookie as Secure when a trusted proxy says that the visitor came by TLS', async () => {
    await using server = await testApp({ options: { trustedProxies: ['127.0.0.1'] } })
    await server.user('ann')
    const headers = { ...PAGE, 'x-forwarded-proto': 'https' }
    const answer = await server.ask('POST', '/api/login', { ...credentials('ann', PASSWORD), headers })
    expect(answer.headers['set-cookie']).toContain('; Secure')
  })

  it.each([
    ['a wrong password', JSON.stringify({ username: 'ann', password: 'wrong' })],
    ['an unknown user', JSON.stringify({ username: 'bob', password: PASSWORD })],
    ['a name that is longer', JSON.stringify({ username: 'ann ', password: PASSWORD })],
    ['no body', ''],
    ['an empty object', '{}'],
    ['null', 'null'],
    ['a number as name', JSON.stringify({ username: 1, password: PASSWORD })],
    ['a form', `username=ann&password=${PASSWORD}`],
    ['more than 8 KiB', JSON.stringify({ username: 'ann', password: PASSWORD, recaptcha: 'x'.repeat(9000) })],
  ])('answers 403 without a reason to %s', async (_, payload) => {
    await using server = await testApp()
    await server.user('ann')
    const answer = await server.ask('POST', '/api/login', { payload })
    expect([answer.statusCode, answer.body]).toEqual([403, '403 Forbidden\n'])
  })

  it.each([
    ['max', 'MAX'],
    ['JÜRGEN', 'Ju\u0308rgen'],
    ['İlker', 'ilker'],
    ['Straße', 'STRASSE'],
  ])('accepts for %s the name %s, which differs only in case or Unicode form', async (username, typed) => {
    await using server = await testApp()
    await server.user(username)
    expect((await server.ask('POST', '/api/login', credentials(typed, PASSWORD))).statusCode).toBe(200)
    expect((await server.ask('POST', '/api/login', credentials(typed, 'wrong'))).statusCode).toBe(403)
  })

  it('accepts a password in each Unicode form, however it was set', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const [composed, decomposed] = ['пароль-密码-é-ü', 'пароль-密码-é-ü'.normalize('NFD')]
    for (const [username, set] of Object.entries({ ann: composed, bob: decomposed })) {
      const data = { username, password: set, scope: '/' }
      const payload = JSON.stringify({ what: 'user', which: [], current_password: PASSWORD, data })
      expect((await admin.ask('POST', '/api/users', { payload })).statusCode).toBe(201)
      for (const typed of [composed, decomposed])
        expect((await server.ask('POST', '/api/login', credentials(username, typed))).statusCode).toBe(200)
      expect((await server.ask('POST', '/api/login', credentials(username, 'пароль-密码-e-u'))).statusCode).toBe(403)
    }
  })

  it('knows accounts of older versions by their exact names, and none by a name that may mean both', async () => {
    await using server = await testApp()
    await server.user('Max')
    await server.context.store.update((draft, { users }) => {
      const max = users.find(({ username }) => username === 'Max')
      const other = { passwordHash: '', username: 'MAX', id: 77 as UserId }
      if (max !== undefined) draft.users = [...users, { ...max, ...other }]
      draft.nextUserId = 78 as UserId
    })
    const statuses = []
    for (const name of ['Max', 'MAX', 'max'])
      statuses.push((await server.ask('POST', '/api/login', credentials(name, PASSWORD))).statusCode)
    expect(statuses).toEqual([200, 403, 403])
    const admin = await server.admin()
    const change = async (username: string) =>
      await admin.ask('PUT', '/api/users/77', {
        payload: JSON.stringify({
          what: 'user',
          which: ['username', 'locale'],
          current_password: PASSWORD,
          data: { id: 77, username, locale: 'fr' },
        }),
      })
    expect((await change('MAX')).statusCode).toBe(200)
    expect((await change('mAX')).statusCode).toBe(409)
    expect((await change('Maxine')).statusCode).toBe(200)
    expect((await server.ask('POST', '/api/login', credentials('MAX', PASSWORD))).statusCode).toBe(200)
  })

  it('gives guesses no new attempts by other spellings of a name, whether or not there is such an account', async () => {
    for (const name of ['eve', 'nobody']) {
      await using server = await testApp()
      await server.context.services.users.create(OPERATOR, { username: 'eve', password: PASSWORD })
      const spellings = [name, name.toUpperCase(), `${name.charAt(0).toUpperCase()}${name.slice(1)}`]
      const statuses = []
      for (let count = 0; count < 6; count += 1)
        statuses.push((await server.ask('POST', '/api/login', credentials(spellings[count % 3] ?? '', 'x'))).statusCode)
      expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
    }
  })

  it.each(['application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', 'no type at all'])(
    'accepts JSON with the content type "%s"',
    async (type) => {
      await using server = await testApp()
      await server.user('ann')
      const headers = { 'content-type': type }
      const answer = await server.ask('POST', '/api/login', { ...credentials('ann', PASSWORD), headers })
      expect(answer.statusCode).toBe(200)
    },
  )

  it('works with every method, as old clients may use any', async () => {
    await using server = await testApp()
    await server.user('ann')
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
      expect((await server.ask(method, '/api/login', credentials('ann', PASSWORD))).statusCode, method).toBe(200)
    }
  })

  it('writes a refusal to the log in the form that fail2ban filters look for', async () => {
    await using server = await testApp()
    await server.ask('POST', '/api/login', credentials('ann\nforged', 'wrong'))
    expect(server.log.map(({ message }) => message)).toContain('/api/login: 403 127.0.0.1 <nil>')
    expect(JSON.stringify(server.log)).not.toContain('forged')
  })

  it('believes X-Forwarded-For from trusted proxies only', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.7' }
    await using trusting = await testApp({ options: { trustedProxies: ['127.0.0.1'] } })
    await trusting.ask('POST', '/api/login', { ...credentials('ann', 'wrong'), headers })
    expect(trusting.log.map(({ message }) => message)).toContain('/api/login: 403 192.0.2.7 <nil>')
    await using doubting = await testApp()
    await doubting.ask('POST', '/api/login', { ...credentials('ann', 'wrong'), headers })
    expect(doubting.log.map(({ message }) => message)).toContain('/api/login: 403 127.0.0.1 <nil>')
  })

  it('says how long to wait after too many wrong passwords', async () => {
    await using server = await testApp()
    for (let tries = 0; tries < 5; tries += 1) await server.ask('POST', '/api/login', credentials('ann', 'wrong'))
    const answer = await server.ask('POST', '/api/login', credentials('ann', 'wrong'))
    expect(answer.statusCode).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('POST /api/renew', () => {
  it('gives a new token and says that it needs no renewal', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const answer = await ann.ask('POST', '/api/renew', { payload: 'any body' })
    expect([answer.statusCode, answer.headers['x-renew-token']]).toEqual([200, 'false'])
    expect(answer.body).not.toBe(ann.token)
    expect((await server.ask('GET', '/api/resources/', { headers: { 'x-auth': answer.body } })).statusCode).toBe(200)
  })
})

describe('GET /api/renew', () => {
  it('accepts the cookie and replaces it, so that the next download does not look stolen', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const ann = await server.user('ann', { download: true })
    const headers = { ...PAGE, cookie: `auth=${ann.token}` }
    const renewed = await server.ask('GET', '/api/renew', { headers })
    expect(renewed.statusCode).toBe(200)
    expect(renewed.headers['set-cookie']).toContain(`auth=${renewed.body};`)
    server.context.clock.move(5 * 60_000)
    const download = await server.ask('GET', '/api/raw/a.txt', { headers: { cookie: `auth=${renewed.body}` } })
    expect([download.statusCode, download.body]).toEqual([200, 'a'])
  })

  it('gives no cookie to a program, which would sign in with it without knowing', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const renewed = await server.ask('GET', '/api/renew', { headers: { cookie: `auth=${ann.token}` } })
    expect([renewed.statusCode, renewed.headers['set-cookie']]).toEqual([200, undefined])
  })

  it('GHSA-72wf-hwcq-65h9: is the only way to renew by the cookie', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const answer = await server.ask('POST', '/api/renew', { headers: { ...PAGE, cookie: `auth=${ann.token}` } })
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([401, undefined])
  })
})

describe('POST /api/logout', () => {
  it('CVE-2025-53826: revokes the token and removes the cookie', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const answer = await ann.ask('POST', '/api/logout')
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['set-cookie']).toMatch(/^auth=; .*Expires=Thu, 01 Jan 1970/)
    expect((await ann.ask('GET', '/api/resources/')).statusCode).toBe(401)
  })
})

describe('GET /api/sessions', () => {
  it('lists the own devices, of which each can be signed out at once', async () => {
    await using server = await testApp()
    const here = await server.user('ann')
    const there = await server.login('ann')
    const listed = (await here.ask('GET', '/api/sessions')).json<{ id: string; current: boolean }[]>()
    expect(listed).toHaveLength(2)
    const other = listed.find(({ current }) => !current)
    expect((await here.ask('DELETE', `/api/sessions/${other?.id ?? ''}`)).statusCode).toBe(204)
    expect((await there.ask('GET', '/api/resources/')).statusCode).toBe(401)
    expect((await here.ask('GET', '/api/resources/')).statusCode).toBe(200)
  })

  it('hides the devices of others', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const admin = await server.admin()
    const all = (await admin.ask('GET', '/api/sessions?all=true')).json<{ id: string; username: string }[]>()
    const foreign = all.find(({ username }) => username === 'admin')?.id ?? ''
    expect((await ann.ask('DELETE', `/api/sessions/${foreign}`)).statusCode).toBe(403)
    expect((await ann.ask('GET', '/api/sessions?all=true')).statusCode).toBe(403)
  })
})

describe('DELETE /api/sessions', () => {
  it('signs out all own devices but the one that asks', async () => {
    await using server = await testApp()
    const [here, there, other] = [await server.user('ann'), await server.login('ann'), await server.user('bob')]
    expect((await here.ask('DELETE', '/api/sessions')).json()).toEqual({ revoked: 1 })
    const statuses = [here, there, other].map(async ({ ask }) => (await ask('GET', '/api/resources/')).statusCode)
    expect(await Promise.all(statuses)).toEqual([200, 401, 200])
  })

  it('signs out a user, or everybody, for administrators only', async () => {
    await using server = await testApp()
    const [ann, admin] = [await server.user('ann'), await server.admin()]
    for (const query of ['userId=1', 'all=true']) {
      expect((await ann.ask('DELETE', `/api/sessions?${query}`)).statusCode).toBe(403)
    }
    expect((await admin.ask('DELETE', '/api/sessions?userId=2')).json()).toEqual({ revoked: 1 })
    expect((await ann.ask('GET', '/api/resources/')).statusCode).toBe(401)
    expect((await admin.ask('DELETE', '/api/sessions?all=true')).json()).toEqual({ revoked: 1 })
    expect((await admin.ask('GET', '/api/resources/')).statusCode).toBe(401)
  })
})
