import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UploadView } from '../../src/domain/uploads/upload.ts'
import { runCliJson } from '../helpers/cli/run-cli.ts'
import { type S3Server, startS3Server } from '../helpers/cluster/s3-server.ts'
import { machinesOfFile, SOON, TAKEOVER } from './machines.ts'
import { uploadTo } from './upload-to.ts'

const { machines, postgres } = machinesOfFile()

const MiB = 1024 * 1024

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(async () => await s3[Symbol.asyncDispose]())

const bucketOf = (name: string) => ({ root: `s3://${s3.bucket}/${name}`, env: s3.env })

describe.each([
  ['a shared folder', () => ({})],
  ['a bucket', bucketOf],
])('an upload to %s', (title, options) => {
  const optionsOf = (name: string) => options(`${title.at(-1)}-${name}`)

  it('continues at once at another daemon, which ends a stalled request at the first one', async () => {
    await using cluster = await machines(optionsOf('at-once'))
    const { one, other } = cluster
    const body = randomBytes(12 * MiB)
    const upload = uploadTo(cluster, body)
    expect((await upload.begin(one)).status).toBe(201)
    expect(await upload.send(one, 0, 6 * MiB)).toBe(6 * MiB)
    const stalled = upload.stall(one, 6 * MiB, 7 * MiB)
    await pause(300)
    const since = performance.now()
    const reply = await upload.head(other)
    expect(performance.now() - since).toBeLessThan(3000)
    expect(reply.headers.get('upload-metadata')).toBe(`note ${btoa('kept')}`)
    expect(await stalled).toBe(409)
    const offset = Number(reply.headers.get('upload-offset'))
    expect(offset).toBeGreaterThanOrEqual(6 * MiB)
    // The upload can also return to the first daemon.
    expect(await upload.send(other, offset, 9 * MiB)).toBe(9 * MiB)
    expect(await upload.send(one, 9 * MiB)).toBe(body.length)
    expect(await upload.whole(other)).toBe(true)
    // The other daemon knows, too, that it is complete.
    expect(await upload.offset(other)).toBe(body.length)
  })

  it('is finished by another daemon after its own was killed, without losing acknowledged bytes', async () => {
    await using cluster = await machines(optionsOf('killed'))
    const { one, other } = cluster
    const body = randomBytes(12 * MiB)
    const upload = uploadTo(cluster, body)
    await upload.begin(one)
    const acknowledged = await upload.send(one, 0, 5 * MiB + 17)
    void upload.stall(one, acknowledged, 8 * MiB)
    await pause(300)
    await one.stop('SIGKILL')
    const since = performance.now()
    const offset = await upload.offset(other)
    expect(performance.now() - since).toBeLessThan(18_000)
    expect(offset).toBeGreaterThanOrEqual(acknowledged)
    expect(await upload.send(other, offset)).toBe(body.length)
    expect(await upload.whole(other)).toBe(true)
  })
})

it('a daemon that was frozen adds nothing to an upload that another one has continued', async () => {
  await using cluster = await machines()
  const { one, other } = cluster
  const body = randomBytes(12 * MiB)
  const upload = uploadTo(cluster, body)
  await upload.begin(one)
  const { promise: late, resolve } = Promise.withResolvers<Buffer>()
  const stalled = upload.stall(one, 0, 5 * MiB, late)
  await pause(500)
  process.kill(one.pid, 'SIGSTOP')
  const offset = await upload.offset(other)
  expect(offset).toBeGreaterThan(0)
  expect(await upload.send(other, offset, 9 * MiB)).toBe(9 * MiB)
  process.kill(one.pid, 'SIGCONT')
  await pause(100)
  resolve(Buffer.alloc(MiB, 'wrong'))
  expect([409, 503, undefined]).toContain(await stalled)
  expect(await upload.offset(other)).toBe(9 * MiB)
  // The first daemon works again.
  expect(await upload.send(one, 9 * MiB)).toBe(body.length)
  expect(await upload.whole(other)).toBe(true)
})

it('unfinished uploads are listed and removed from any machine', async () => {
  await using cluster = await machines()
  const { one, other, env, files } = cluster
  const upload = uploadTo(cluster, randomBytes(1000))
  await upload.begin(one)
  await upload.send(one, 0, 400)
  const [listed] = await runCliJson<UploadView[]>(['uploads', 'ls'], { env: { ...env, FILEMGR_ROOT: files.path } })
  expect(listed).toMatchObject({ path: '/large.bin', offset: 400, length: 1000 })
  expect((await cluster.ask(other, 'api/tus/large.bin', { method: 'DELETE' })).status).toBe(204)
  expect((await upload.head(one)).status).toBe(404)
  expect(await readdir(files.path)).toEqual([])
})

it.each([
  ['was not complete', false],
  ['was noted as complete, and not put in place, when its daemon was killed', true],
])('the hidden file of a lost upload that %s, in a folder that was renamed, is swept', async (_, isNoted) => {
  await using cluster = await machines()
  const { one, other, files, url } = cluster
  await mkdir(files.at('folder'))
  const begin = { method: 'POST', headers: { 'upload-length': '1000' } }
  expect((await cluster.ask(one, 'api/tus/folder/x', begin)).status).toBe(201)
  const finish = `UPDATE filemgr_records SET data = data || '{"finished": ${Date.now()}}' WHERE kind = 'upload'`
  if (isNoted) await postgres().query(url, finish)
  const rename = 'api/resources/folder?action=rename&destination=/renamed'
  expect((await cluster.ask(one, rename, { method: 'PATCH' })).status).toBe(200)
  expect((await cluster.ask(other, 'api/tus/folder/x', { method: 'HEAD' })).status).toBe(404)
  expect(await readdir(files.at('renamed'))).toHaveLength(1)
  // Then the other daemon has the chores.
  await one.stop('SIGTERM')
  await expect.poll(async () => await readdir(files.at('renamed')), TAKEOVER).toEqual([])
})

it('a file that is sent to two daemons at the same time is one of the two, complete', async () => {
  await using cluster = await machines()
  const bodies = [randomBytes(3 * MiB), randomBytes(3 * MiB)]
  const [first, second] = bodies.map((body) => uploadTo(cluster, body))
  await first?.begin(cluster.one)
  void first?.stall(cluster.one, 0, MiB)
  await pause(300)
  expect((await second?.begin(cluster.other))?.status).toBe(201)
  expect(await second?.send(cluster.other, 0)).toBe(3 * MiB)
  expect((await readFile(cluster.files.at('large.bin'))).equals(bodies[1] ?? Buffer.alloc(0))).toBe(true)
  await expect.poll(async () => await readdir(cluster.files.path), SOON).toEqual(['large.bin'])
})
