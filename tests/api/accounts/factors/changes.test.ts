import { describe, expect, it } from 'vitest'
import type { UserId } from '../../../../src/domain/ids.ts'
import { addPasskey, begunStep, reasonIn, secondStep, setUpApp } from '../../../helpers/api/second-factors.ts'
import { softPasskey } from '../../../helpers/api/soft-passkey.ts'
import { PASSWORD, type Client, testApp } from '../../../helpers/api/test-app.ts'

const ANN = 2 as UserId
const headers = { accept: 'application/json', host: 'localhost' }
const send = async ({ ask }: Client, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object) =>
  await ask(method, `/api/factors/${url}`, { headers, ...(body && { payload: JSON.stringify(body) }) })
const WITH_PASSWORD = { current_password: PASSWORD }

describe('a change of the factors', () => {
  it.each([
    ['POST', 'totp'],
    ['DELETE', 'totp'],
    ['POST', 'passkeys/options'],
    ['DELETE', 'passkeys/none'],
    ['POST', 'recovery'],
  ] as const)('%s %s needs the password or a factor', async (method, url) => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const app = await setUpApp(ann, server.context.clock.now)
    server.context.clock.move(60_000)
    const used = app.code(server.context.clock.now())
    for (const proof of [{}, { current_password: 'wrong' }, { code: '000000' }, { recovery: 'wrong' }]) {
      const answer = await send(ann, method, url, proof)
      expect(answer.statusCode).toBe(400)
    }
    expect((await send(ann, method, url, { code: used })).statusCode).not.toBe(400)
    // A code that confirmed a change signs nobody in.
    if (url === 'totp' && method === 'DELETE') return
    const again = await secondStep(server, { ...(await begunStep(server, 'ann')), code: used })
    expect([again.statusCode, reasonIn(again)]).toEqual([403, 'usedCode'])
  })

  it('may be confirmed by a passkey that signs the question of this session', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const key = softPasskey()
    await addPasskey(ann, key, { headers })
    const question = async () => (await send(ann, 'POST', 'confirmation')).json<{ challenge: string }>()
    const signed = key.sign(await question())
    expect((await send(ann, 'POST', 'recovery', { passkey: signed })).statusCode).toBe(200)
    expect((await send(ann, 'POST', 'recovery', { passkey: signed })).statusCode).toBe(400)
    const login = await server.ask('POST', '/api/login/passkey/options', { payload: '{}', headers })
    expect((await send(ann, 'POST', 'recovery', { passkey: key.sign(login.json()) })).statusCode).toBe(400)
    const bob = await server.user('bob')
    await addPasskey(bob, softPasskey(), { headers })
    expect((await send(bob, 'POST', 'recovery', { passkey: key.sign(await question()) })).statusCode).toBe(400)
  })

  it('of an account without a password needs a factor as soon as there is one', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    await server.context.store.update((draft) => {
      draft.users = draft.users.map((user) => (user.id === ANN ? { ...user, passwordHash: '' } : user))
    })
    const app = await setUpApp(ann, server.context.clock.now, {})
    expect((await send(ann, 'POST', 'recovery', {})).statusCode).toBe(400)
    const view = (await ann.ask('GET', '/api/factors')).json<{ confirmsBy: string[] }>()
    expect(view.confirmsBy).toEqual(['totp', 'recovery'])
    const recovered = await send(ann, 'POST', 'recovery', { recovery: app.recoveryCodes[0] })
    expect(recovered.json<{ recoveryCodes: string[] }>().recoveryCodes).toHaveLength(10)
    // The old codes are gone.
    expect((await send(ann, 'POST', 'recovery', { recovery: app.recoveryCodes[1] })).statusCode).toBe(400)
  })

  it('by guesses is delayed for the session, and not for the sign-in of the owner', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const app = await setUpApp(ann, server.context.clock.now)
    server.context.clock.move(60_000)
    for (let count = 0; count < 5; count += 1)
      expect((await send(ann, 'POST', 'recovery', { code: '000000' })).statusCode).toBe(400)
    expect((await send(ann, 'POST', 'recovery', { code: '000000' })).statusCode).toBe(429)
    const code = app.code(server.context.clock.now())
    expect((await secondStep(server, { ...(await begunStep(server, 'ann')), code })).statusCode).toBe(200)
  })
})

describe('an authenticator app', () => {
  it('is on once it has shown a right code and was turned on, and not before', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    expect((await send(ann, 'PUT', 'totp')).statusCode).toBe(409)
    await send(ann, 'POST', 'totp', WITH_PASSWORD)
    expect((await send(ann, 'PUT', 'totp')).statusCode).toBe(409)
    expect((await send(ann, 'POST', 'totp/check', { code: '000000' })).statusCode).toBe(400)
    expect((await send(ann, 'PUT', 'totp')).statusCode).toBe(409)
    await server.login('ann')
  })

  it('begun by one session cannot be turned on by another', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const other = await server.login('ann')
    await send(ann, 'POST', 'totp', WITH_PASSWORD)
    expect((await send(other, 'POST', 'totp/check', { code: '000000' })).statusCode).toBe(409)
  })

  it('names the product and the account in its address', async () => {
    await using server = await testApp({ settings: { branding: { name: 'My: files' } } })
    const ann = await server.user('ann')
    const { uri } = (await send(ann, 'POST', 'totp', WITH_PASSWORD)).json<{ uri: string }>()
    expect(uri).toMatch(/^otpauth:\/\/totp\/My%20%20files:ann\?issuer=My%20%20files&secret=[A-Z2-7]{32}&/)
  })

  it('replaces the one before, and keeps recovery codes and other sessions', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const { clock } = server.context
    const first = await setUpApp(ann, clock.now)
    clock.move(60_000)
    const step = await begunStep(server, 'ann')
    const { body: token } = await secondStep(server, { ...step, code: first.code(clock.now()) })
    clock.move(60_000)
    const second = await setUpApp(ann, clock.now)
    expect(second.recoveryCodes).toEqual([])
    expect((await server.ask('GET', '/api/sessions', { headers: { 'x-auth': token } })).statusCode).toBe(200)
    clock.move(60_000)
    const old = await secondStep(server, { ...(await begunStep(server, 'ann')), code: first.code(clock.now()) })
    expect(old.statusCode).toBe(403)
    const recovery = first.recoveryCodes[2]
    expect((await secondStep(server, { ...(await begunStep(server, 'ann')), recovery })).statusCode).toBe(200)
  })

  it('takes its recovery codes away with it', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const app = await setUpApp(ann, server.context.clock.now)
    expect((await send(ann, 'DELETE', 'totp', WITH_PASSWORD)).statusCode).toBe(204)
    await server.login('ann')
    expect(server.context.store.snapshot().users.find(({ id }) => id === ANN)).not.toHaveProperty('factors')
    const again = await setUpApp(ann, server.context.clock.now)
    const recovery = app.recoveryCodes[0]
    expect((await secondStep(server, { ...(await begunStep(server, 'ann')), recovery })).statusCode).toBe(403)
    expect(again.recoveryCodes).toHaveLength(10)
  })
})

describe('passkeys', () => {
  it('are several, have names, and belong to one account', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const bob = await server.user('bob')
    const [one, two] = [softPasskey(), softPasskey()]
    expect(await addPasskey(ann, one, { headers, name: ' Blue key ' })).toHaveLength(10)
    expect(await addPasskey(ann, two, { headers, name: 'Phone' })).toEqual([])
    const options = await send(bob, 'POST', 'passkeys/options', WITH_PASSWORD)
    const taken = await send(bob, 'POST', 'passkeys', { name: 'Mine', passkey: one.make(options.json()) })
    expect([taken.statusCode, reasonIn(taken)]).toEqual([409, 'passkeyTaken'])
    expect((await send(ann, 'PATCH', `passkeys/${two.id}`, { name: 'Old phone' })).statusCode).toBe(204)
    expect((await send(bob, 'PATCH', `passkeys/${two.id}`, { name: 'Mine' })).statusCode).toBe(404)
    const { passkeys } = (await ann.ask('GET', '/api/factors')).json<{ passkeys: object[] }>()
    expect(passkeys).toMatchObject([
      { id: one.id, name: 'Blue key' },
      { id: two.id, name: 'Old phone' },
    ])
    expect(JSON.stringify(passkeys)).not.toContain('publicKey')
  })

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'http://localhost:81' }],
  ])('%s are refused', async (_, signing) => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const options = await send(ann, 'POST', 'passkeys/options', WITH_PASSWORD)
    const passkey = softPasskey().make(options.json(), signing)
    expect((await send(ann, 'POST', 'passkeys', { name: 'key', passkey })).statusCode).toBe(400)
    expect(
      (await send(ann, 'POST', 'passkeys', { name: 'key', passkey: softPasskey().make(options.json()) })).statusCode,
    ).toBe(409)
  })

  it('belong to the public address, or to that of a trusted proxy, and no other header changes it', async () => {
    const site = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'files.example.org', host: 'localhost' }
    const rpOf = async (options: object, sent: Record<string, string>) => {
      await using server = await testApp({ options })
      const ann = await server.user('ann')
      const base = 'baseURL' in options ? '/fb' : ''
      const answer = await ann.ask('POST', `${base}/api/factors/passkeys/options`, {
        payload: JSON.stringify(WITH_PASSWORD),
        headers: sent,
      })
      return answer.json<{ rp: { id: string } }>().rp.id
    }
    expect(await rpOf({}, site)).toBe('localhost')
    expect(await rpOf({ trustedProxies: ['127.0.0.1'] }, site)).toBe('files.example.org')
    expect(await rpOf({ publicUrl: 'https://public.example.org/fb/', baseURL: '/fb' }, site)).toBe('public.example.org')
  })
})
