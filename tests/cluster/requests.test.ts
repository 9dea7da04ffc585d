import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { startS3Proxy } from '../helpers/cluster/s3-proxy.ts'
import { type S3Server, startS3Server } from '../helpers/cluster/s3-server.ts'

let server: S3Server

beforeAll(async () => {
  server = await startS3Server()
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

it('an operation takes few requests', async () => {
  await using proxy = await startS3Proxy(server)
  await using daemon = await startTestDaemon({ root: `s3://${server.bucket}`, env: proxy.env })
  const requestsOf = async (method: string, address: string, body?: string) => {
    const before = proxy.seen.length
    const reply = await daemon.fetch(`api/resources${address}`, { method, ...(body !== undefined && { body }) })
    expect(reply.ok, await reply.text()).toBe(true)
    return proxy.seen.slice(before).map(({ operation, key }) => `${operation} ${key}`)
  }
  await requestsOf('POST', '/docs/first.txt', 'x')
  await requestsOf('POST', '/shared.txt', 'x')
  // A link to another file costs nothing.
  expect((await daemon.fetch('api/share/shared.txt', { method: 'POST', body: '{}' })).status).toBe(200)
  const renaming = '/docs/new.txt?action=rename&destination=%2Fdocs%2Fother.txt'
  const requests = {
    upload: await requestsOf('POST', '/docs/new.txt', 'x'),
    rename: await requestsOf('PATCH', renaming),
    save: await requestsOf('PUT', '/docs/other.txt', 'y'),
    delete: await requestsOf('DELETE', '/docs/other.txt'),
  }
  const limits = { upload: 5, rename: 6, save: 7, delete: 7 }
  for (const [name, limit] of Object.entries(limits)) {
    const sent = requests[name as keyof typeof limits]
    expect(sent.length, `${name}: ${sent.join(', ')}`).toBeLessThanOrEqual(limit)
  }
})

it('a large folder is opened without a request for each file', async () => {
  await using proxy = await startS3Proxy(server)
  await using daemon = await startTestDaemon({ root: `s3://${server.bucket}`, env: proxy.env })
  const folder = join(server.folder, 'many')
  mkdirSync(folder)
  for (let count = 0; count <= 10_000; count += 1) writeFileSync(join(folder, `${count}.txt`), '')
  const before = proxy.seen.length
  const listed = await daemon.fetch('api/resources/many/')
  expect(await listed.json()).toMatchObject({ numFiles: 10_001 })
  const requests = proxy.seen.slice(before).map(({ operation, key }) => `${operation} ${key}`)
  expect(requests.filter((request) => request.includes('.txt'))).toEqual([])
  expect(requests.length).toBeLessThanOrEqual(20)
})
