import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import type { UserId } from '../../../../src/domain/ids.ts'
import {
  addPasskey,
  begunStep,
  firstStep,
  reasonIn,
  secondStep,
  setUpApp,
} from '../../../helpers/api/second-factors.ts'
import { softPasskey } from '../../../helpers/api/soft-passkey.ts'
import { PASSWORD, type TestApp, testApp } from '../../../helpers/api/test-app.ts'

const STEP = 30_000
const ANN = 2 as UserId

/** Ann has an authenticator app, and the code of its set-up is over. */
async function withApp(options = {}) {
  const server = await testApp(options)
  const ann = await server.user('ann', { admin: true })
  const { clock } = server.context
  const app = await setUpApp(ann, clock.now)
  clock.move(2 * STEP)
  return { server, ann, clock, app, now: () => app.code(clock.now()) }
}

const sessionsOf = async ({ context }: TestApp) =>
  (await context.services.sessions.list(OPERATOR, { all: true })).map(({ method, factor }) => [method, factor])

describe('signing in with an authenticator app', () => {
  it('takes a password and a code', async () => {
    const { server, now } = await withApp()
    await using _server = server
    const { challenge, ways } = await begunStep(server, 'ann')
    expect(ways).toEqual(['totp', 'recovery'])
    const answer = await secondStep(server, { challenge, code: now() })
    expect(answer.statusCode).toBe(200)
    const mine = await server.ask('GET', '/api/users/2', { headers: { 'x-auth': answer.body } })
    expect(mine.json()).toMatchObject({ username: 'ann', secondFactors: ['totp', 'recovery'] })
    expect(await sessionsOf(server)).toContainEqual(['json', 'totp'])
  })

  it('explains to programs, which only know one step, that they need an API token', async () => {
    const { server } = await withApp()
    await using _server = server
    const answer = await server.ask('POST', '/api/login', {
      payload: JSON.stringify({ username: 'ann', password: PASSWORD }),
    })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.body).toContain('API token')
    expect(answer.body).not.toContain('eyJ')
  })

  it.each([-STEP, 0, STEP])('takes the code of a clock that differs by %i ms', async (skew) => {
    const { server, clock, app } = await withApp()
    await using _server = server
    const { challenge } = await begunStep(server, 'ann')
    expect((await secondStep(server, { challenge, code: app.code(clock.now() + skew) })).statusCode).toBe(200)
  })

  it.each([-2 * STEP, 2 * STEP])('refuses the code of a clock that differs by %i ms', async (skew) => {
    const { server, clock, app } = await withApp()
    await using _server = server
    clock.move(10 * STEP)
    const { challenge } = await begunStep(server, 'ann')
    const answer = await secondStep(server, { challenge, code: app.code(clock.now() + skew) })
    expect([answer.statusCode, reasonIn(answer)]).toEqual([403, 'wrongFactor'])
  })

  it('takes each code once, and none from before it', async () => {
    const { server, clock, app, now } = await withApp()
    await using _server = server
    const used = now()
    expect((await secondStep(server, { ...(await begunStep(server, 'ann')), code: used })).statusCode).toBe(200)
    const again = await secondStep(server, { ...(await begunStep(server, 'ann')), code: used })
    expect([again.statusCode, reasonIn(again)]).toEqual([403, 'usedCode'])
    const before = await secondStep(server, { ...(await begunStep(server, 'ann')), code: app.code(clock.now() - STEP) })
    expect([before.statusCode, reasonIn(before)]).toEqual([403, 'usedCode'])
    clock.move(STEP)
    expect((await secondStep(server, { ...(await begunStep(server, 'ann')), code: now() })).statusCode).toBe(200)
  })

  it('takes one of many equal codes that come at the same time', async () => {
    const { server, now } = await withApp()
    await using _server = server
    const steps = await Promise.all(Array.from({ length: 5 }, async () => await begunStep(server, 'ann')))
    const code = now()
    const answers = await Promise.all(steps.map(async ({ challenge }) => await secondStep(server, { challenge, code })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 403, 403, 403, 403])
  })

  it('does not take the code that set the app up', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const { clock } = server.context
    const app = await setUpApp(ann, clock.now)
    const answer = await secondStep(server, { ...(await begunStep(server, 'ann')), code: app.code(clock.now()) })
    expect([answer.statusCode, reasonIn(answer)]).toEqual([403, 'usedCode'])
  })

  it('takes a challenge once, for five minutes, and not after a new password', async () => {
    const { server, clock, now } = await withApp()
    await using _server = server
    const { challenge } = await begunStep(server, 'ann')
    expect((await secondStep(server, { challenge, code: now() })).statusCode).toBe(200)
    clock.move(STEP)
    const again = await secondStep(server, { challenge, code: now() })
    expect([again.statusCode, reasonIn(again)]).toEqual([401, 'challengeOver'])
    const late = await begunStep(server, 'ann')
    clock.move(5 * 60_000)
    expect((await secondStep(server, { ...late, code: now() })).statusCode).toBe(401)
    const old = await begunStep(server, 'ann')
    await server.context.services.users.update(OPERATOR, ANN, { password: 'another horse battery staple' })
    expect((await secondStep(server, { ...old, code: now() })).statusCode).toBe(401)
  })

  it('refuses invented challenges and empty proofs', async () => {
    const { server, now } = await withApp()
    await using _server = server
    expect((await secondStep(server, { challenge: 'invented', code: now() })).statusCode).toBe(401)
    expect((await secondStep(server, { ...(await begunStep(server, 'ann')) })).statusCode).toBe(403)
    expect((await secondStep(server, {})).statusCode).toBe(403)
    expect((await secondStep(server, { challenge: 1, code: now() })).statusCode).toBe(403)
  })

  it('asks for nothing while the password is wrong', async () => {
    const { server } = await withApp()
    await using _server = server
    const answer = await firstStep(server, 'ann', 'wrong')
    expect([answer.statusCode, reasonIn(answer)]).toEqual([403, undefined])
  })

  it('delays guesses, for longer and longer, at any address, and whatever the password is', async () => {
    const { server, clock, now } = await withApp()
    await using _server = server
    const guess = async () => await secondStep(server, { ...(await begunStep(server, 'ann')), code: '000000' })
    for (let count = 0; count < 5; count += 1) expect((await guess()).statusCode).toBe(403)
    const delays: number[] = []
    for (let count = 0; count < 12; count += 1) {
      const answer = await guess()
      expect(answer.statusCode).toBe(429)
      delays.push(Number(answer.headers['retry-after']))
      clock.move(Number(answer.headers['retry-after']) * 1000)
      expect((await guess()).statusCode).toBe(403)
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
    // The right code has to wait, too: otherwise it would tell a guesser that it was right.
    expect((await secondStep(server, { ...(await begunStep(server, 'ann')), code: now() })).statusCode).toBe(429)
    clock.move(900_000)
    expect((await secondStep(server, { ...(await begunStep(server, 'ann')), code: now() })).statusCode).toBe(200)
  })

  it('ends a challenge after ten wrong codes', async () => {
    const { server, clock, now } = await withApp()
    await using _server = server
    const { challenge } = await begunStep(server, 'ann')
    const codes = ['000000', '000001', '000002', '000003', '000004', '000005', '000006', '000007', '000008', '000009']
    for (const code of codes) {
      const answer = await secondStep(server, { challenge, code })
      if (answer.statusCode !== 429) continue
      clock.move(Number(answer.headers['retry-after']) * 1000)
      await secondStep(server, { challenge, code })
    }
    clock.move(60_000)
    expect((await secondStep(server, { challenge, code: now() })).statusCode).toBe(401)
  })
})

describe('recovery codes', () => {
  it('work once each, however they are typed', async () => {
    const { server, app } = await withApp()
    await using _server = server
    expect(app.recoveryCodes).toHaveLength(10)
    expect(new Set(app.recoveryCodes).size).toBe(10)
    const [first = '', second = ''] = app.recoveryCodes
    const use = async (recovery: string) => await secondStep(server, { ...(await begunStep(server, 'ann')), recovery })
    expect((await use(first)).statusCode).toBe(200)
    expect((await use(first)).statusCode).toBe(403)
    expect((await use(` ${second.replaceAll('-', '').toUpperCase()} `)).statusCode).toBe(200)
    expect(await sessionsOf(server)).toContainEqual(['json', 'recovery'])
    expect(JSON.stringify(server.context.store.snapshot())).not.toContain(app.recoveryCodes[4])
  })

  it('of which one is sent several times at once sign in once', async () => {
    const { server, app } = await withApp()
    await using _server = server
    const steps = await Promise.all(Array.from({ length: 4 }, async () => await begunStep(server, 'ann')))
    const recovery = app.recoveryCodes[3]
    const answers = await Promise.all(
      steps.map(async ({ challenge }) => await secondStep(server, { challenge, recovery })),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 403, 403, 403])
  })
})

describe('passkeys', () => {
  const ask = async (server: TestApp, body: object = {}) =>
    (await server.ask('POST', '/api/login/passkey/options', { payload: JSON.stringify(body) })).json<{
      challenge: string
      rpId: string
      allowCredentials?: { id: string }[]
      userVerification: string
    }>()
  const send = async (server: TestApp, passkey: object) =>
    await server.ask('POST', '/api/login/passkey', { payload: JSON.stringify({ passkey }) })
  const headers = { host: 'localhost' }

  async function withPasskey(key = softPasskey()) {
    const server = await testApp()
    const ann = await server.user('ann')
    const asked = {
      ...server,
      ask: ((method, url, extras) => server.ask(method, url, withHost(extras))) as TestApp['ask'],
    }
    const codes = await addPasskey(ann, key, { headers })
    return { server: asked, ann, key, codes }
  }
  const withHost = (extras: Parameters<TestApp['ask']>[2] = {}) => ({
    ...extras,
    headers: { ...headers, ...extras.headers },
  })

  it('complete a sign-in as the second step', async () => {
    const { server, key, codes } = await withPasskey()
    await using _server = server
    expect(codes).toHaveLength(10)
    const { challenge, ways } = await begunStep(server, 'ann')
    expect(ways).toEqual(['passkey', 'recovery'])
    const options = await ask(server, { challenge })
    expect(options.allowCredentials).toMatchObject([{ id: key.id }])
    const passkey = key.sign(options, { isVerified: false })
    expect((await secondStep(server, { challenge, passkey })).statusCode).toBe(200)
    expect(await sessionsOf(server)).toContainEqual(['json', 'passkey'])
  })

  it('sign in alone, if the device checks the person', async () => {
    const { server, key } = await withPasskey()
    await using _server = server
    const options = await ask(server)
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(options.allowCredentials ?? []).toEqual([])
    expect((await send(server, key.sign(options, { isVerified: false }))).statusCode).toBe(403)
    const answer = await send(server, key.sign(await ask(server)))
    expect(answer.statusCode).toBe(200)
    expect(await sessionsOf(server)).toContainEqual(['passkey', undefined])
    const [seen] = server.context.store.snapshot().users.find(({ id }) => id === ANN)?.factors?.passkeys ?? []
    expect(seen?.lastUsedAt).toBe(server.context.clock.now())
  })

  it('are refused for the challenge of another question, another site, and a second time', async () => {
    const { server, key } = await withPasskey()
    await using _server = server
    const { challenge } = await begunStep(server, 'ann')
    const other = await begunStep(server, 'ann')
    // The options of another sign-in, or of signing in alone.
    expect((await secondStep(server, { challenge, passkey: key.sign(await ask(server, other)) })).statusCode).toBe(403)
    expect((await secondStep(server, { challenge, passkey: key.sign(await ask(server)) })).statusCode).toBe(403)
    expect((await send(server, key.sign(await ask(server, { challenge })))).statusCode).toBe(403)
    const stranger = { origin: 'http://localhost.evil.example' }
    expect((await send(server, key.sign(await ask(server), stranger))).statusCode).toBe(403)
    const options = await ask(server)
    expect((await send(server, key.sign({ ...options, rpId: 'evil.example' }))).statusCode).toBe(403)
    expect((await send(server, key.sign({ ...options, challenge: 'aW52ZW50ZWQ' }))).statusCode).toBe(403)
    const signed = key.sign(await ask(server))
    expect((await send(server, signed)).statusCode).toBe(200)
    expect((await send(server, signed)).statusCode).toBe(403)
  })

  it('whose counter goes back are copies', async () => {
    const { server, key } = await withPasskey()
    await using _server = server
    expect((await send(server, key.sign(await ask(server)))).statusCode).toBe(200)
    key.rewind(2)
    expect((await send(server, key.sign(await ask(server)))).statusCode).toBe(403)
  })

  it('that do not count work again and again', async () => {
    const { server, key } = await withPasskey(softPasskey({ counts: false }))
    await using _server = server
    for (let count = 0; count < 3; count += 1)
      expect((await send(server, key.sign(await ask(server)))).statusCode).toBe(200)
  })

  it('of a stranger, of a disabled account, and those that were removed are refused', async () => {
    const { server, ann, key } = await withPasskey()
    await using _server = server
    expect((await send(server, softPasskey().sign(await ask(server)))).statusCode).toBe(403)
    await server.context.services.users.update(OPERATOR, ANN, { disabled: true })
    const answer = await send(server, key.sign(await ask(server)))
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined])
    await server.context.services.users.update(OPERATOR, ANN, { disabled: false })
    const again = await server.ask('POST', '/api/login/passkey', {
      payload: JSON.stringify({ passkey: key.sign(await ask(server)) }),
    })
    const removed = await ann.ask('DELETE', `/api/factors/passkeys/${key.id}`, {
      payload: JSON.stringify({ current_password: PASSWORD }),
      headers: { 'x-auth': again.body },
    })
    expect(removed.statusCode).toBe(204)
    expect((await send(server, key.sign(await ask(server)))).statusCode).toBe(403)
    // The password alone is enough again.
    expect((await firstStep(server, 'ann')).statusCode).toBe(200)
  })

  it('are not delayed by guesses of codes', async () => {
    const { server, key } = await withPasskey()
    await using _server = server
    for (let count = 0; count < 6; count += 1)
      await secondStep(server, { ...(await begunStep(server, 'ann')), recovery: 'wrong' })
    const { challenge } = await begunStep(server, 'ann')
    expect((await secondStep(server, { challenge, recovery: 'wrong' })).statusCode).toBe(429)
    expect(
      (await secondStep(server, { challenge, passkey: key.sign(await ask(server, { challenge })) })).statusCode,
    ).toBe(200)
  })
})
