import { describe, expect, it } from 'vitest'
import type { Webhook, WebhookResult, WebhookWithSecret } from '../../../src/domain/automation/webhook.ts'
import { type Client, testApp, type TestAppInput } from '../../helpers/api/test-app.ts'
import { isSignedWith, webhookReceiver } from '../../helpers/webhook-receiver.ts'

const MAY = { create: true, delete: true, modify: true, rename: true, download: true }

async function openWorld(statuses: number[] = [], input: TestAppInput = {}) {
  await using held = new AsyncDisposableStack()
  const receiver = held.use(await webhookReceiver(...statuses))
  const server = held.use(await testApp({ options: { webhookHosts: [receiver.host] }, ...input }))
  const admin = await server.admin()
  const add = async (fields: object = {}) =>
    (await send(admin, 'POST', '/api/webhooks', { url: receiver.url, ...fields })).json<WebhookWithSecret>()
  const list = async () => (await admin.ask('GET', '/api/webhooks')).json<Webhook[]>()
  const all = held.move()
  return { receiver, server, admin, add, list, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

async function send(client: Client, method: 'POST' | 'PATCH', url: string, body: object = {}) {
  return await client.ask(method, url, { payload: JSON.stringify(body) })
}

describe('webhooks of an administrator', () => {
  it('are added with a secret that is shown once, changed, tested and removed', async () => {
    await using world = await openWorld([204, 500])
    const { secret = '', ...added } = await world.add({ name: 'Index', events: ['after_upload'] })
    expect(added).toMatchObject({ name: 'Index', events: ['after_upload'], enabled: true, waiting: 0, last: null })
    expect(await world.list()).toEqual([added])
    const url = `/api/webhooks/${added.id}`

    const test = async () => (await send(world.admin, 'POST', `${url}/test`)).json<WebhookResult>()
    expect(await test()).toEqual({ outcome: 'accepted', status: 204, detail: '' })
    expect(await test()).toMatchObject({ outcome: 'refused', status: 500 })
    const [ping] = world.receiver.messages
    expect(ping?.event).toMatchObject({ type: 'ping', data: { user: 'admin' } })
    expect(ping && isSignedWith(secret, ping)).toBe(true)

    const renewed = (await send(world.admin, 'PATCH', url, { newSecret: true })).json<WebhookWithSecret>()
    expect(renewed.secret).not.toBe(secret)
    await test()
    const last = world.receiver.messages.at(-1)
    expect(last && [isSignedWith(secret, last), isSignedWith(renewed.secret ?? '', last)]).toEqual([false, true])
    const change = { enabled: false, events: ['after_save', 'after_copy'] }
    const off = await send(world.admin, 'PATCH', url, { ...change, id: 'other', secret: 'known' })
    expect(off.json()).toEqual({ ...added, enabled: false, events: ['after_save', 'after_copy'] })
    expect((await world.admin.ask('DELETE', url)).statusCode).toBe(204)
    expect(await world.list()).toEqual([])
  })

  it('keep their secrets out of the settings, the activity log and the log', async () => {
    await using world = await openWorld()
    const { secret = 'none' } = await world.add()
    const shown = await Promise.all(
      ['/api/settings/all', '/api/audit', '/api/webhooks'].map(async (url) => (await world.admin.ask('GET', url)).body),
    )
    expect([...shown, JSON.stringify(world.server.log)].filter((text) => text.includes(secret))).toEqual([])
    expect(shown[1]).toContain('webhooks.add')
  })

  it.each([
    ['ftp://example.org/', 'http or https'],
    ['example.org', 'URL'],
    ['javascript:alert(1)', 'http or https'],
    ['https://ann:secret@example.org/', 'user name or password'],
    ['http://192.168.1.5/', '--webhook-hosts 192.168.1.5'],
    ['http://2130706433:8080/', '--webhook-hosts 127.0.0.1:8080'],
    ['http://[::1]/', '--webhook-hosts [::1]'],
  ])('are refused with the URL %s', async (url, message) => {
    await using world = await openWorld()
    const answer = await send(world.admin, 'POST', '/api/webhooks', { url })
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining(message)])
    expect(await world.list()).toEqual([])
  })

  it('are not sent to a host name of a private address, unless a server option allows it', async () => {
    await using world = await openWorld()
    const { id } = await world.add({ url: world.receiver.url.replace('127.0.0.1', 'localhost') })
    const answer = await send(world.admin, 'POST', `/api/webhooks/${id}/test`)
    expect(answer.json()).toMatchObject({ outcome: 'blocked', detail: expect.stringContaining('private') as string })
    expect(world.receiver.messages).toEqual([])
  })

  it('are limited in number', async () => {
    await using world = await openWorld()
    for (let count = 0; count < 20; count += 1) await world.add()
    expect((await send(world.admin, 'POST', '/api/webhooks', { url: world.receiver.url })).statusCode).toBe(409)
  })
})

describe('webhooks', () => {
  it('receive every kind of change, with the user and paths in the served folder', async () => {
    await using world = await openWorld([], { files: { 'home/a.txt': 'a', 'home/docs/b.txt': 'b' } })
    const { secret = '' } = await world.add()
    const ann = await world.server.user('ann', MAY, { scope: '/home' })
    const lines = [
      ['POST', '/api/resources/n.txt'],
      ['PUT', '/api/resources/a.txt'],
      ['PATCH', '/api/resources/docs?action=copy&destination=/docs2'],
      ['PATCH', '/api/resources/a.txt?action=rename&destination=/r.txt'],
      ['DELETE', '/api/resources/docs'],
    ] as const
    for (const [method, url] of lines)
      expect((await ann.ask(method, url, { payload: 'x' })).statusCode).toBeLessThan(300)
    await expect.poll(() => world.receiver.messages.length).toBe(5)
    const received = world.receiver.messages.map(({ event: { type, data } }) => ({ type, ...data }))
    expect(received.toSorted((one, other) => one.type.localeCompare(other.type))).toEqual([
      { type: 'after_copy', user: 'ann', path: '/home/docs', destination: '/home/docs2' },
      { type: 'after_delete', user: 'ann', path: '/home/docs' },
      { type: 'after_rename', user: 'ann', path: '/home/a.txt', destination: '/home/r.txt' },
      { type: 'after_save', user: 'ann', path: '/home/a.txt' },
      { type: 'after_upload', user: 'ann', path: '/home/n.txt' },
    ])
    expect(world.receiver.messages.every((message) => isSignedWith(secret, message))).toBe(true)
    expect(new Set(world.receiver.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(5)
  })

  it('receive only their own events, and none while they are off or when an operation is refused', async () => {
    await using world = await openWorld()
    await world.add({ events: ['after_delete'] })
    const off = await world.add()
    await send(world.admin, 'PATCH', `/api/webhooks/${off.id}`, { enabled: false })
    const eve = await world.server.user('eve')
    expect((await eve.ask('DELETE', '/api/resources/a.txt')).statusCode).toBe(403)
    const ann = await world.server.user('ann', MAY)
    await ann.ask('POST', '/api/resources/a.txt', { payload: 'a' })
    await ann.ask('DELETE', '/api/resources/a.txt')
    await expect.poll(() => world.receiver.messages.map(({ event }) => event.type)).toEqual(['after_delete'])
  })

  it('that fail do not hold up the request, and get the same event again once they are corrected', async () => {
    await using world = await openWorld([500, 503, 204])
    const { id } = await world.add()
    const ann = await world.server.user('ann', MAY)
    expect((await ann.ask('POST', '/api/resources/a.txt', { payload: 'a' })).statusCode).toBe(200)
    await expect
      .poll(world.list)
      .toMatchObject([{ waiting: 1, failures: 1, last: { outcome: 'refused', status: 500 } }])
    // The clock stands still, so nothing is due by itself.
    await send(world.admin, 'PATCH', `/api/webhooks/${id}`, { name: 'corrected' })
    await expect.poll(world.list).toMatchObject([{ waiting: 1, failures: 2 }])
    world.server.context.clock.move(10_000)
    await send(world.admin, 'PATCH', `/api/webhooks/${id}`, { name: 'corrected again' })
    await expect.poll(world.list).toMatchObject([{ waiting: 0, failures: 0, lost: 0, last: { outcome: 'accepted' } }])
    const { messages } = world.receiver
    expect(new Set(messages.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size).toBe(1)
    expect(new Set(messages.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(2)
    expect(
      world.server.log.filter(({ message }) => message.startsWith('a webhook')).map(({ message }) => message),
    ).toEqual(['a webhook fails; events are sent again later', 'a webhook works again'])
  })
})
