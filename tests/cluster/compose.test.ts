import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it, vi } from 'vitest'
import { startComposed } from '../helpers/cluster/compose.ts'

const SECRETS = { POSTGRES_PASSWORD: 'a1b2', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'secret' }
const SOON = { timeout: 300_000, interval: 100 }

it('what the compose file of the cluster describes starts, and serves as the documentation says', async () => {
  await using cluster = await startComposed(SECRETS)
  const { url } = cluster.balancer
  const password = await vi.waitUntil(
    () => /sign in as admin with the password (\S+)/.exec(cluster.output())?.[1],
    SOON,
  )
  await vi.waitFor(async () => expect((await fetch(`${url}health/ready`)).status).toBe(200), SOON)
  const body = JSON.stringify({ username: 'admin', password })
  const token = await (await fetch(`${url}api/login`, { method: 'POST', body })).text()
  const ask = async (path: string, init: RequestInit = {}) =>
    await fetch(`${url}api/${path}`, { ...init, headers: { 'x-auth': token } })

  expect((await ask('resources/a.txt', { method: 'POST', body: 'kept' })).status).toBe(200)
  for (const name of ['filemgr-1', 'filemgr-2', 'filemgr-3'])
    expect(await cluster.exec(name, 'users', 'ls')).toContain('admin')
  // The daemons trust the balancer, which tells them the address of the client.
  const sent = get(`${url}api/raw/a.txt`, { localAddress: '127.0.0.2', headers: { 'x-auth': token } })
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  expect(await text(reply)).toBe('kept')
  const logged = async () => await cluster.exec('filemgr-2', 'logs', '--audit', '--all')
  await vi.waitFor(async () => expect(await logged()).toContain('admin (127.0.0.2) downloaded /a.txt'), SOON)

  await cluster.stop('filemgr-1')
  for (let count = 0; count < 10; count += 1) {
    const reply = await ask('raw/a.txt')
    expect([reply.status, await reply.text()]).toEqual([200, 'kept'])
  }
})
