import { describe, expect, it } from 'vitest'
import type { OptionView } from '../../../src/domain/server/server-options.ts'
import { PASSWORD, testApp, type Client } from '../../helpers/api/test-app.ts'

type Views = Record<string, OptionView>

async function served(options: Parameters<typeof testApp>[0] = {}) {
  const server = await testApp(options)
  const admin = await server.admin()
  const read = async () => (await admin.ask('GET', '/api/server')).json<Views>()
  /** All saved values, with this change. */
  const values = async (change: object = {}) => {
    const saved = Object.entries(await read()).filter(([name]) => name !== 'enableExec')
    return { ...Object.fromEntries(saved.map(([name, view]) => [name, view.saved])), ...change }
  }
  return { server, admin, read, values, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() }
}

async function put(admin: Client, values: unknown, headers = {}) {
  const payload = JSON.stringify({ current_password: PASSWORD, values })
  return await admin.ask('PUT', '/api/server', { payload, headers })
}

describe('start-up values', () => {
  it('are listed with their source, and whether they can be changed here', async () => {
    await using world = await served({ options: { port: 9000 }, optionSources: { port: 'flag', root: 'default' } })
    const { port, address, root, enableExec } = await world.read()
    expect(port).toEqual({ value: 9000, source: 'flag', saved: null, default: 8080, locked: true, waiting: false })
    expect(address).toMatchObject({ value: '127.0.0.1', source: 'default', locked: false, waiting: false })
    expect(root).toMatchObject({ value: world.server.root, waiting: false })
    expect(enableExec).toMatchObject({ locked: true })
  })

  it('are saved together, and apply at the next start', async () => {
    await using world = await served()
    const { admin } = world
    expect((await put(admin, await world.values({ port: 9000, baseURL: '/files' }))).statusCode).toBe(200)
    expect(await world.read()).toMatchObject({
      port: { value: 8080, saved: 9000, waiting: true },
      baseURL: { value: '', saved: '/files', waiting: true },
      address: { saved: null, waiting: false },
    })
    await put(admin, await world.values({ port: null }))
    expect(world.server.context.store.snapshot().server).toEqual({ baseURL: '/files' })
  })

  it('are refused when somebody else changed them first', async () => {
    await using world = await served()
    const { admin } = world
    const headers = { 'if-match': String((await admin.ask('GET', '/api/server')).headers.etag) }
    expect((await put(admin, await world.values({ port: 9001 }), headers)).statusCode).toBe(200)
    expect((await put(admin, await world.values({ port: 9002 }), headers)).statusCode).toBe(412)
    expect(await world.read()).toMatchObject({ port: { saved: 9001 } })
  })

  it('need the current password of the caller', async () => {
    await using world = await served()
    for (const current_password of ['', 'wrong', undefined]) {
      const payload = JSON.stringify({ current_password, values: await world.values({ noAuth: true }) })
      expect((await world.admin.ask('PUT', '/api/server', { payload })).statusCode).toBe(400)
    }
    expect(world.server.context.store.snapshot().server).toEqual({})
  })

  it('that a flag or the environment sets cannot be changed here, as it would have no effect', async () => {
    await using world = await served({ options: { port: 9000 }, optionSources: { port: 'environment' } })
    expect((await put(world.admin, await world.values({ port: 9001 }))).statusCode).toBe(409)
    expect((await put(world.admin, await world.values({ address: '0.0.0.0' }))).statusCode).toBe(200)
  })

  const refused: [string, object | null, string][] = [
    ['nothing', null, 'values'],
    ['a value of another type', { port: 'http' }, 'port'],
    ['a port above 65535', { port: 70_000 }, 'port'],
    ['an unknown name', { prt: 80 }, 'did you mean port?'],
    ['an invalid duration', { tokenExpirationTime: '2 hours' }, '2h30m'],
    ['a certificate without its key', { cert: '/etc/hostname' }, '--key'],
    ['a root that is missing', { root: '/nowhere/at/all' }, 'does not exist'],
    ['a relative root', { root: 'files' }, 'absolute path'],
    ['a socket in a folder that is missing', { socket: '/nowhere/at/all/x' }, 'socket'],
    ['an invalid file mode', { socketPerm: 'rw' }, 'socketPerm'],
    ['an invalid proxy address', { trustedProxies: ['10.0.0.0/40'] }, '10.0.0.0/40'],
    ['no sign-in for the whole network', { noAuth: true, address: '0.0.0.0' }, '--no-auth'],
    ['a log that could be any file', { log: '/etc/crontab' }, 'ends in .log'],
    ['an access log that could be any file', { accessLog: '/etc/crontab' }, 'ends in .log'],
    ['metrics without a port', { metrics: '127.0.0.1' }, 'metrics'],
  ]

  it.each(refused)('are refused with %s, and stay as they are', async (_, change, message) => {
    await using world = await served()
    const answer = await put(world.admin, change === null ? null : await world.values(change))
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain(message)
    expect(world.server.context.store.snapshot().server).toEqual({})
  })

  it('are not reset when a request leaves them out', async () => {
    await using world = await served()
    await put(world.admin, await world.values({ port: 9000 }))
    const { port: _left, ...rest } = await world.values()
    for (const values of [{}, rest]) expect((await put(world.admin, values)).statusCode).toBe(400)
    expect(world.server.context.store.snapshot().server).toEqual({ port: 9000 })
  })

  it('CVE-2025-52903: never switch the terminal on', async () => {
    await using world = await served()
    expect((await put(world.admin, await world.values({ enableExec: true }))).statusCode).toBe(400)
    const settings = (await world.admin.ask('GET', '/api/settings')).json<object>()
    const payload = JSON.stringify({ ...settings, enableExec: true, EnableExec: true })
    expect((await world.admin.ask('PUT', '/api/settings', { payload })).statusCode).toBe(200)
    expect(world.server.context.store.snapshot().server).toEqual({})
    expect(await world.read()).toMatchObject({ enableExec: { value: false, saved: null } })
  })
})
