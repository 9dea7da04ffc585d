import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DirectPart, DirectUpload } from '../../src/domain/uploads/upload.ts'
import type { QuotaUse } from '../../src/domain/access/quota.ts'
import { parseVirtualPath, ROOT } from '../../src/domain/files/virtual-path.ts'
import { StagedNames } from '../../src/storage/reserved-names.ts'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { type Moto, startMoto } from '../helpers/cluster/moto.ts'
import { type S3Server, startS3Server } from '../helpers/cluster/s3-server.ts'
import { s3OfFile } from '../helpers/cluster/server-of-file.ts'
import { machinesOfFile } from './machines.ts'

const MIB = 1024 * 1024
const startServer = async (): Promise<S3Server | Moto> => await startS3Server()
const { machines } = machinesOfFile()

/** What a client does with an upload to a path, as somebody with this token. */
function uploadAs(token: string, path: string) {
  const ask = async ({ url }: TestDaemon, method: string, door: string, headers: Record<string, string> = {}) =>
    await fetch(new URL(`api/${door}/${path}`, url), {
      method,
      headers: { 'x-auth': token, accept: 'application/json', ...headers },
    })
  const next = async (daemon: TestDaemon) => await ask(daemon, 'POST', 'direct')
  return {
    ask,
    next,
    begin: async (daemon: TestDaemon, length: number, query = '') =>
      await fetch(new URL(`api/tus/${path}${query}`, daemon.url), {
        method: 'POST',
        headers: { 'x-auth': token, 'upload-length': String(length) },
      }),
    parts: async (daemon: TestDaemon): Promise<DirectUpload> => {
      const reply = await next(daemon)
      expect(reply.status, await reply.clone().text()).toBe(200)
      return (await reply.json()) as DirectUpload
    },
    read: async (daemon: TestDaemon) => Buffer.from(await (await ask(daemon, 'GET', 'raw')).arrayBuffer()),
  }
}

/** @returns the status; undefined if the server has cut the connection instead of reading on */
async function put(body: Buffer, { url, offset, length }: DirectPart, more = 0): Promise<number | undefined> {
  const bytes = Buffer.concat([body.subarray(offset, offset + length), Buffer.alloc(more)])
  const reply = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) }).catch(() => undefined)
  await reply?.body?.cancel()
  return reply?.status
}

async function putAll(body: Buffer, parts: readonly DirectPart[]): Promise<void> {
  expect(await Promise.all(parts.map(async (part) => await put(body, part)))).toEqual(parts.map(() => 200))
}

const SERVERS = [
  { name: 'versitygw', start: startServer, isStrict: true },
  // Neither checks signatures nor lengths.
  { name: 'moto', start: startMoto, isStrict: false },
]

describe.each(SERVERS)('direct uploads to $name', ({ start, isStrict }) => {
  const server = s3OfFile(start)
  const body = randomBytes(60 * MIB)
  const args = () => ['--s3-direct', server().env['AWS_ENDPOINT_URL'] ?? '']
  const newRoot = () => `s3://${server().bucket}/${randomBytes(8).toString('hex')}`

  const world = async () => await startTestDaemon({ root: newRoot(), env: server().env, args: args() })

  async function namesAt(daemon: TestDaemon): Promise<string[]> {
    const { items } = (await (await daemon.fetch('api/resources/')).json()) as { items: { name: string }[] }
    return items.map(({ name }) => name)
  }

  it('take the parts in any order, and put the file in place once all are there', async () => {
    await using daemon = await world()
    const upload = uploadAs(daemon.token, 'a.bin')
    expect((await upload.begin(daemon, body.length)).status).toBe(201)
    const first = await upload.parts(daemon)
    expect(first).toMatchObject({ offset: 0, length: body.length })
    expect(first.parts.map(({ offset, length }) => [offset / MIB, length / MIB])).toEqual([
      [0, 16],
      [16, 16],
      [32, 16],
    ])
    const [one, two, three] = first.parts as [DirectPart, DirectPart, DirectPart]
    await putAll(body, [three, one])
    const second = await upload.parts(daemon)
    expect(second).toMatchObject({ offset: 16 * MIB })
    await putAll(body, [two])
    const last = await upload.parts(daemon)
    expect(last.parts.map(({ offset, length }) => [offset / MIB, length / MIB])).toEqual([[48, 12]])
    expect(await namesAt(daemon)).toEqual([])
    await putAll(body, last.parts)
    const done = { offset: body.length, length: body.length, parts: [] }
    expect(await upload.parts(daemon)).toEqual(done)
    expect((await upload.read(daemon)).equals(body)).toBe(true)
    expect(await upload.parts(daemon)).toEqual(done)
  })

  it('go on by tus, and back unless the last part is short', async () => {
    await using daemon = await world()
    const upload = uploadAs(daemon.token, 'a.bin')
    await upload.begin(daemon, body.length)
    await putAll(body, (await upload.parts(daemon)).parts.slice(0, 1))
    const append = async (start: number, end: number) =>
      await fetch(new URL('api/tus/a.bin', daemon.url), {
        method: 'PATCH',
        headers: {
          'x-auth': daemon.token,
          'upload-offset': String(start),
          'content-type': 'application/offset+octet-stream',
        },
        body: new Uint8Array(body.subarray(start, end)),
      })
    expect((await append(16 * MIB, 17 * MIB)).status).toBe(204)
    expect((await upload.next(daemon)).status).toBe(501)
    expect((await append(17 * MIB, 22 * MIB)).status).toBe(204)
    for (let { parts } = await upload.parts(daemon); parts.length > 0; { parts } = await upload.parts(daemon))
      await putAll(body, parts)
    expect((await upload.read(daemon)).equals(body)).toBe(true)
  })

  it('of more bytes than declared are refused and leave nothing', async () => {
    await using daemon = await world()
    const upload = uploadAs(daemon.token, 'a.bin')
    await upload.begin(daemon, 10 * MIB)
    const { parts } = await upload.parts(daemon)
    const [part] = parts as [DirectPart]
    const isTaken = (await put(body, part, 1)) === 200
    expect(isTaken).toBe(!isStrict)
    if (!isTaken) {
      expect(await upload.parts(daemon)).toMatchObject({ offset: 0 })
      return
    }
    expect((await upload.next(daemon)).status).toBe(413)
    expect((await upload.next(daemon)).status).toBe(404)
    expect(await namesAt(daemon)).toEqual([])
  })

  it('count towards the quota from the beginning, and are refused above it', async () => {
    await using daemon = await world()
    const rest = await userOf(daemon, { quota: 100 * MIB })
    const upload = uploadAs(rest.token, 'a.bin')
    expect((await upload.begin(daemon, 101 * MIB)).status).toBe(507)
    expect((await upload.begin(daemon, 60 * MIB)).status).toBe(201)
    expect((await uploadAs(rest.token, 'b.bin').begin(daemon, 60 * MIB)).status).toBe(507)
  })

  it('have used exactly their length of the quota when they are in place, and nothing once they are refused', async () => {
    await using daemon = await world()
    const rest = await userOf(daemon, { quota: 50 * MIB })
    const used = async () => {
      const usage = (await (await uploadAs(rest.token, '').ask(daemon, 'GET', 'usage')).json()) as { quota: QuotaUse }
      return usage.quota.used
    }
    const upload = uploadAs(rest.token, 'a.bin')
    await upload.begin(daemon, 20 * MIB)
    await putAll(body, (await upload.parts(daemon)).parts)
    expect(await upload.parts(daemon)).toMatchObject({ parts: [] })
    expect(await used()).toEqual({ bytes: 20 * MIB, files: 1 })
    const next = uploadAs(rest.token, 'b.bin')
    expect((await next.begin(daemon, 31 * MIB)).status).toBe(507)
    expect((await next.begin(daemon, 10 * MIB)).status).toBe(201)
    const [part] = (await next.parts(daemon)).parts as [DirectPart]
    await put(body, part, 25 * MIB)
    expect((await next.next(daemon)).status).toBe(isStrict ? 200 : 413)
    expect((await next.ask(daemon, 'DELETE', 'tus')).status).toBe(isStrict ? 204 : 404)
    expect((await next.begin(daemon, 30 * MIB)).status).toBe(201)
    expect(await namesAt(daemon)).toEqual(['a.bin'])
  })

  it('by somebody who has lost the right meanwhile are not put in place', async () => {
    await using daemon = await world()
    const rest = await userOf(daemon)
    const upload = uploadAs(rest.token, 'a.bin')
    await upload.begin(daemon, 20 * MIB)
    await putAll(body, (await upload.parts(daemon)).parts)
    await rest.lose()
    expect((await upload.next(daemon)).status).toBe(403)
    expect(await namesAt(daemon)).toEqual([])
  })

  it('do not replace a file that appeared meanwhile', async () => {
    await using daemon = await world()
    const upload = uploadAs(daemon.token, 'a.bin')
    await upload.begin(daemon, 20 * MIB)
    await putAll(body, (await upload.parts(daemon)).parts)
    await daemon.fetch('api/resources/a.bin', { method: 'POST', body: 'other' })
    expect((await upload.next(daemon)).status).toBe(409)
    expect((await upload.read(daemon)).toString()).toBe('other')
  })

  it('leave nothing when they are cancelled', async () => {
    await using daemon = await world()
    const upload = uploadAs(daemon.token, 'a.bin')
    await upload.begin(daemon, 20 * MIB)
    await putAll(body, (await upload.parts(daemon)).parts)
    expect((await upload.ask(daemon, 'DELETE', 'tus')).status).toBe(204)
    expect((await upload.next(daemon)).status).toBe(404)
  })

  it('begin at one daemon, and complete at another', async () => {
    const direct = { FILEMGR_S3_DIRECT: server().env['AWS_ENDPOINT_URL'] ?? '' }
    await using cluster = await machines({ root: newRoot(), env: { ...server().env, ...direct } })
    const { one, other } = cluster
    const upload = uploadAs(one.token, 'a.bin')
    await upload.begin(one, 20 * MIB)
    await putAll(body, (await upload.parts(one)).parts)
    expect(await upload.parts(other)).toMatchObject({ parts: [] })
    expect((await upload.read(one)).equals(body.subarray(0, 20 * MIB))).toBe(true)
  })

  it('are not possible unless the bucket is open to browsers', async () => {
    await using daemon = await startTestDaemon({ root: newRoot(), env: server().env })
    const upload = uploadAs(daemon.token, 'a.bin')
    await upload.begin(daemon, 20 * MIB)
    expect((await upload.next(daemon)).status).toBe(501)
  })
})

it('what is sent to an address after its upload has ended is removed by a sweep', async () => {
  await using server = await startS3Server()
  Object.assign(process.env, server.env)
  const staged = new StagedNames({ installation: 'aaaaaaaa', run: 'bbbbbbbb' })
  const direct = server.env['AWS_ENDPOINT_URL']
  await using storage = openS3Storage({ bucket: server.bucket, prefix: '' }, { direct, staged })
  using scope = await storage.openScope(storagePathOf(ROOT), 'inside')
  const { staging } = scope
  const path = parseVirtualPath('/a.bin')
  const begin = async () => {
    const name = staging.newName()
    await staging.create(path, name, { replace: false, fileMode: 0o640, folderMode: 0o750 })
    return { name, parts: (await staging.direct?.(path, name, 10)) ?? [] }
  }
  // Without the temporary folder of the server.
  const left = () =>
    readdirSync(server.folder)
      .filter((name) => name !== '.sgwtmp')
      .toSorted()
  const ended = await begin()
  const unfinished = await begin()
  staged.neededByUploads = async () => new Set([unfinished.name])
  await staging.discard(path, ended.name)
  for (const { parts } of [ended, unfinished]) await putAll(Buffer.alloc(10), parts)
  expect(left()).toEqual([ended.name, unfinished.name].toSorted())
  for (const names of [[unfinished.name], [unfinished.name]]) {
    await storage.sweep()
    expect(left()).toEqual(names)
  }
})

/** Adds a user, and signs in. */
async function userOf(daemon: TestDaemon, fields: object = {}) {
  const perm = { admin: false, create: true, modify: true, rename: true, delete: false, share: false, download: true }
  const data = { username: 'somebody', password: 'a long passphrase', scope: '/', perm, ...fields }
  const sent = JSON.stringify({ what: 'user', which: [], current_password: daemon.password, data })
  const added = await daemon.fetch('api/users', { method: 'POST', body: sent })
  expect(added.status, await added.text()).toBe(201)
  const login = JSON.stringify({ username: 'somebody', password: data.password })
  const token = await (await fetch(new URL('api/login', daemon.url), { method: 'POST', body: login })).text()
  return {
    token,
    async lose() {
      const users = (await (await daemon.fetch('api/users')).json()) as { id: number; username: string }[]
      const { id } = users.find(({ username }) => username === 'somebody') ?? { id: 0 }
      const data = { id, perm: { ...perm, create: false, modify: false } }
      const change = { what: 'user', which: ['perm'], current_password: daemon.password, data }
      const reply = await daemon.fetch(`api/users/${id}`, { method: 'PUT', body: JSON.stringify(change) })
      expect(reply.status, await reply.text()).toBe(200)
    },
  }
}
