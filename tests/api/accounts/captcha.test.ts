import { createServer } from 'node:https'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createPostForm } from '../../../src/platform/network/post-form.ts'
import { selfSigned } from '../../helpers/self-signed.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { PASSWORD, testApp, type TestApp } from '../../helpers/api/test-app.ts'

interface Reply {
  readonly status?: number
  readonly body?: string
  readonly location?: string
}

/** A captcha service over TLS that gives this reply and records its requests. */
async function withService(reply: Reply = { body: '{"success":true}' }, listed?: string[]) {
  await using held = new AsyncDisposableStack()
  const folder = held.use(await tempFolder())
  const { cert, key } = selfSigned(folder)
  const requests: { url: string | undefined; form: Record<string, string> }[] = []
  const service = createServer({ cert: await readFile(cert), key: await readFile(key) }, (request, response) => {
    void text(request).then((body) => {
      requests.push({ url: request.url, form: Object.fromEntries(new URLSearchParams(body)) })
      response.writeHead(reply.status ?? 200, reply.location === undefined ? {} : { location: reply.location })
      response.end(reply.body)
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  held.defer(() => void service.close())
  const host = `https://127.0.0.1:${(service.address() as AddressInfo).port}`
  const server = held.use(
    await testApp({
      options: { recaptchaHosts: listed ?? [host] },
      settings: { signup: true, recaptcha: { host, key: 'site-key', secret: 'the secret' } },
      postForm: createPostForm(await readFile(cert, 'utf8')),
      page: { 'index.html': '<script type="application/json" id="filemgr-config"></script>', 'static/': '' },
    }),
  )
  const all = held.move()
  return {
    server,
    host,
    requests,
    close: () => service.close(),
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

const send = async (server: TestApp, url: string, body: object) =>
  await server.ask('POST', url, { payload: JSON.stringify(body) })
const login = async (server: TestApp, recaptcha?: string, password = PASSWORD) =>
  await send(server, '/api/login', { username: 'admin', password, recaptcha })

describe('a captcha', () => {
  it('is verified with secret and response, and still needs the right password', async () => {
    await using world = await withService()
    expect((await login(world.server, 'solved')).statusCode).toBe(200)
    expect((await login(world.server, 'solved', 'wrong')).statusCode).toBe(403)
    expect(world.requests[0]).toEqual({
      url: '/recaptcha/api/siteverify',
      form: { secret: 'the secret', response: 'solved' },
    })
  })

  it.each<[string, Reply]>([
    ['refuses', { body: '{"success":false}' }],
    ['answers something else', { body: '{"success":"true"}' }],
    ['fails', { status: 500, body: '{"success":true}' }],
    ['redirects', { status: 302, location: 'https://127.0.0.1:1/', body: '{"success":true}' }],
  ])('lets nobody in when its service %s', async (_, reply) => {
    await using world = await withService(reply)
    expect(await login(world.server, 'solved')).toMatchObject({ statusCode: 403, body: '403 Forbidden\n' })
    expect(world.requests).toHaveLength(1)
  })

  it('lets nobody in without an answer, and asks no service for that', async () => {
    await using world = await withService()
    for (const response of [undefined, '']) expect((await login(world.server, response)).statusCode).toBe(403)
    expect(world.requests).toEqual([])
  })

  it('is checked before the password: a wrong one costs no hash and counts as a failure', async () => {
    await using world = await withService({ body: '{"success":false}' })
    for (let count = 0; count < 5; count += 1) await login(world.server, 'wrong')
    expect((await login(world.server, 'wrong')).statusCode).toBe(429)
  })

  it.each<[string, Reply]>([
    ['does not answer in JSON', { body: '<html>' }],
    ['answers too much', { body: `"${'x'.repeat(100_000)}"` }],
  ])('is an error of the server when its service %s', async (_, reply) => {
    await using world = await withService(reply)
    expect((await login(world.server, 'solved')).statusCode).toBe(500)
  })

  it('is an error of the server when its service is not trusted', async () => {
    await using world = await withService()
    await using doubting = await testApp({
      options: { recaptchaHosts: [world.host] },
      settings: { recaptcha: { host: world.host, key: 'k', secret: 's' } },
    })
    expect((await login(doubting, 'solved')).statusCode).toBe(500)
    expect(world.requests).toEqual([])
  })

  it('never sends the secret to a host that the daemon was not started with', async () => {
    await using world = await withService(undefined, ['https://captcha.example'])
    expect((await login(world.server, 'solved')).statusCode).toBe(500)
    expect(world.requests).toEqual([])
    const { body, headers } = await world.server.ask('GET', '/')
    expect([body, headers['content-security-policy']].join()).not.toContain(world.host)
  })

  it('guards sign-up too', async () => {
    await using world = await withService({ body: '{"success":false}' })
    const body = { username: 'eve', password: 'a long passphrase', recaptcha: 'wrong' }
    expect((await send(world.server, '/api/signup', body)).statusCode).toBe(403)
    expect(world.server.context.store.snapshot().users).toHaveLength(1)
  })

  it('is in the page with its host, the only one in the policy, and without its secret', async () => {
    await using world = await withService()
    const { body, headers } = await world.server.ask('GET', '/')
    expect(body).toContain('"ReCaptcha":true')
    expect(body).toContain(`"ReCaptchaHost":"${world.host}","ReCaptchaKey":"site-key"`)
    expect(body).not.toContain('the secret')
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toContain(`script-src 'self' ${world.host}`)
    expect(policy).toContain(`frame-src 'self' ${world.host}`)
    expect(policy).toContain(`connect-src 'self' ${world.host}`)
    expect(policy.filter((rule) => rule.includes(world.host))).toHaveLength(3)
  })
})
