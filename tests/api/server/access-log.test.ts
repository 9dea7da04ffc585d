import { readFile, rename } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { startDaemon } from '../../../src/daemon.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { testContext } from '../../helpers/test-context.ts'

async function openWorld() {
  const folder = await tempFolder()
  const files = { 'a.txt': 'x'.repeat(10_000), 'line\nbreak': '' }
  const accessLog = folder.at('access.log')
  const context = await testContext({ options: { port: 0, accessLog }, files })
  const token = await context.login('admin')
  const daemon = await startDaemon({ context })
  const lines = async () => (await readFile(accessLog, 'utf8').catch(() => '')).split('\n').slice(0, -1)
  return {
    daemon,
    token,
    at: folder.at,
    lines,
    records: async () => (await lines()).map((line) => JSON.parse(line) as Record<string, unknown>),
    ask: async (path: string, init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {}) => {
      const headers = { 'x-auth': token, ...init.headers }
      return await (await fetch(`${daemon.urls[0]}${path}`, { ...init, headers })).text()
    },
    [Symbol.asyncDispose]: async () => {
      await daemon[Symbol.asyncDispose]()
      await context[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

it('the access log has one line for each request, with its user, bytes and time', async () => {
  await using world = await openWorld()
  await world.ask('api/raw/a.txt?inline=true')
  await world.ask('api/nosuch', { headers: { 'x-auth': '' } })
  await expect.poll(world.lines).toHaveLength(2)
  const [first, second] = await world.records()
  expect(first).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    method: 'GET',
    path: '/api/raw/a.txt',
    status: 200,
    user: 'admin',
    address: '127.0.0.1',
    msg: 'request',
    bytes: expect.any(Number) as number,
    milliseconds: expect.any(Number) as number,
  })
  expect(first?.['bytes']).toBeGreaterThan(10_000)
  expect(second).toMatchObject({ path: '/api/nosuch', status: 404 })
  expect(second).not.toHaveProperty('user')
})

it('the access log holds no token, password or hash of a link, and no forged line', async () => {
  await using world = await openWorld()
  const share = { method: 'POST', body: '{"password":"open sesame"}' }
  const { hash } = JSON.parse(await world.ask('api/share/a.txt', share)) as { hash: string }
  const visitor = { headers: { 'x-auth': '', 'x-share-password': 'open sesame' } }
  await world.ask(`api/public/dl/${hash}?token=secrettoken`, visitor)
  await world.ask(`api/raw/a.txt?auth=${world.token}`)
  await world.ask('api/login', { method: 'POST', body: '{"username":"admin","password":"wrong words"}' })
  await world.ask('api/raw/line%0Abreak')
  await expect.poll(world.lines).toHaveLength(5)
  const text = (await world.lines()).join('\n')
  for (const secret of [hash, 'sesame', 'secrettoken', 'wrong', world.token]) expect(text).not.toContain(secret)
  expect(text).toContain(`/api/public/dl/${hash.slice(0, 4)}…`)
})

it('the access log continues in a new file after logrotate has renamed the old one', async () => {
  await using world = await openWorld()
  await world.ask('health')
  await expect.poll(world.lines).toHaveLength(1)
  await rename(world.at('access.log'), world.at('access.log.1'))
  world.daemon.reopenAccessLog()
  await world.ask('health/live')
  await expect.poll(world.lines).toHaveLength(1)
  expect(await world.records()).toMatchObject([{ path: '/health/live' }])
})
