import { mkdir, readdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/domain/automation/job.ts'
import { folderOnOtherDisk } from '../../helpers/disks/other-disk.ts'
import { testApp, type Client } from '../../helpers/api/test-app.ts'

const MAY = { create: true, rename: true, delete: true, download: true }
const JSON_ANSWER = { headers: { accept: 'application/json' } }
const ASYNC = { headers: { prefer: 'respond-async' } }

async function untilEnded(client: Client, url: string): Promise<Job> {
  const states = ['done', 'failed', 'cancelled']
  await expect.poll(async () => states.includes((await client.ask('GET', url)).json<Job>().state)).toBe(true)
  return (await client.ask('GET', url)).json<Job>()
}

describe('long work', () => {
  it('is answered with the address of its job when the client prefers not to wait', async () => {
    await using server = await testApp({ files: { 'dir/a': 'aa', 'dir/b': 'b' }, options: { baseURL: '/files' } })
    const ann = await server.user('ann', MAY)
    const answer = await ann.ask('PATCH', '/files/api/resources/dir?action=copy&destination=%2Fcopy', ASYNC)
    const { id } = answer.json<Job>()
    expect(answer.statusCode).toBe(202)
    expect(answer.headers).toMatchObject({
      location: `/files/api/jobs/${id}`,
      'preference-applied': 'respond-async',
    })
    expect(await untilEnded(ann, `/files/api/jobs/${id}`)).toMatchObject({
      kind: 'copy',
      state: 'done',
      path: '/dir',
      destination: '/copy',
      progress: { bytes: 3, files: 2, totalBytes: 3, totalFiles: 2 },
    })
    expect((await readdir(join(server.root, 'copy'))).toSorted()).toEqual(['a', 'b'])
  })

  it('is waited for otherwise, and is listed as a job', async () => {
    await using server = await testApp({ files: { 'dir/a': 'a' } })
    const ann = await server.user('ann', MAY)
    expect((await ann.ask('DELETE', '/api/resources/dir')).statusCode).toBe(204)
    expect((await ann.ask('GET', '/api/jobs')).json()).toMatchObject([
      { kind: 'delete', state: 'done', path: '/dir', progress: { files: 1 } },
    ])
  })

  it('is the only work that becomes a job', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a', 'dir/b': 'b' } })
    const ann = await server.user('ann', MAY)
    for (const url of ['a.txt?action=copy&destination=%2Fb.txt', 'dir?action=rename&destination=%2Fc']) {
      expect((await ann.ask('PATCH', `/api/resources/${url}`, ASYNC)).statusCode).toBe(200)
    }
    expect((await ann.ask('DELETE', '/api/resources/a.txt', ASYNC)).statusCode).toBe(204)
    expect((await ann.ask('GET', '/api/jobs')).json()).toEqual([])
  })

  it('can be cancelled, and leaves nothing half-made', async () => {
    await using server = await testApp({ files: { 'dir/': '' } })
    const ann = await server.user('ann', MAY)
    for (const name of ['a', 'b', 'c']) {
      await writeFile(join(server.root, 'dir', name), 'x')
      await truncate(join(server.root, 'dir', name), 5_000_000_000)
    }
    const started = await ann.ask('PATCH', '/api/resources/dir?action=copy&destination=%2Fcopy', ASYNC)
    const url = `/api/jobs/${started.json<Job>().id}`
    expect((await ann.ask('DELETE', url)).statusCode).toBe(204)
    expect(await untilEnded(ann, url)).toMatchObject({ state: 'cancelled', error: { code: 'CANCELLED' } })
    expect(await readdir(server.root)).toEqual(['dir'])
  })

  it('reports why it failed', async () => {
    await using server = await testApp({ files: { 'dir/a': 'a', 'to/dir': 'a file' } })
    const ann = await server.user('ann', { ...MAY, modify: true })
    const url = '/api/resources/dir?action=copy&override=true&destination=%2Fto%2Fdir'
    expect((await ann.ask('PATCH', url)).statusCode).toBe(409)
    const started = await ann.ask('PATCH', url, ASYNC)
    expect(await untilEnded(ann, `/api/jobs/${started.json<Job>().id}`)).toMatchObject({
      state: 'failed',
      error: { code: 'CONFLICT', message: 'a file is in the way of the folder' },
    })
  })

  it('reports what stayed behind when not all could be moved to another disk', async () => {
    using other = folderOnOtherDisk()
    await using server = await testApp({ files: { 'dir/a': 'a' }, options: { followExternalSymlinks: true } })
    await symlink(other.path, join(server.root, 'disk'))
    const special = createServer().listen(join(server.root, 'dir/socket'))
    const ann = await server.user('ann', MAY)
    const answer = await ann.ask('PATCH', '/api/resources/dir?action=rename&destination=%2Fdisk%2Fdir', JSON_ANSWER)
    special.close()
    expect(answer.statusCode, answer.body).toBe(409)
    expect(answer.body).toContain('moved, except \\"socket\\"')
    expect(await readdir(join(other.path, 'dir'))).toEqual(['a'])
    expect((await ann.ask('GET', '/api/jobs')).json()).toMatchObject([
      { state: 'failed', leftOut: [{ name: 'socket', reason: 'changed' }] },
    ])
  })

  it('leaves a folder into which a file is being sent, says so, and lets it arrive', async () => {
    using other = folderOnOtherDisk()
    await using server = await testApp({ files: { 'dir/sub/a': 'a' }, options: { followExternalSymlinks: true } })
    await symlink(other.path, join(server.root, 'disk'))
    const ann = await server.user('ann', MAY)
    const upload = { headers: { 'upload-length': '4' } }
    expect((await ann.ask('POST', '/api/tus/dir/sub/sent', upload)).statusCode).toBe(201)
    const answer = await ann.ask('PATCH', '/api/resources/dir?action=rename&destination=%2Fdisk%2Fdir', JSON_ANSWER)
    expect(answer.statusCode, answer.body).toBe(409)
    expect(answer.body).toContain(
      'moved, except \\"sub\\": something is being written into it; move it when that has ended',
    )
    expect((await ann.ask('GET', '/api/jobs')).json()).toMatchObject([
      { state: 'failed', leftOut: [{ name: 'sub', reason: 'inUse' }] },
    ])
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    expect((await ann.ask('PATCH', '/api/tus/dir/sub/sent', { headers, payload: 'sent' })).statusCode).toBe(204)
    expect(await readdir(join(server.root, 'dir'), { recursive: true })).toEqual(['sub', 'sub/sent'])
    expect(await readdir(join(other.path, 'dir'), { recursive: true })).toEqual(['sub', 'sub/a'])
  })

  it('moves a folder to another disk as a whole: nothing is taken out of it meanwhile', async () => {
    using other = folderOnOtherDisk()
    const names = Array.from({ length: 1000 }, (_, index) => `dir/${index}`)
    const files = Object.fromEntries(names.map((name) => [name, 'content']))
    await using server = await testApp({ files, options: { followExternalSymlinks: true } })
    await symlink(other.path, join(server.root, 'disk'))
    const ann = await server.user('ann', MAY)
    const started = await ann.ask('PATCH', '/api/resources/dir?action=rename&destination=%2Fdisk%2Fdir', ASYNC)
    await expect.poll(async () => await readdir(other.path), { interval: 1 }).not.toEqual([])
    const answers = [
      await ann.ask('PATCH', '/api/resources/dir/7?action=rename&destination=%2F7', JSON_ANSWER),
      await ann.ask('DELETE', '/api/resources/dir/8', JSON_ANSWER),
    ]
    for (const answer of answers) {
      expect(answer.statusCode, answer.body).toBe(409)
      expect(answer.body).toContain('this is in a folder that is being moved: try again when that is done')
    }
    expect(await untilEnded(ann, String(started.headers.location))).toMatchObject({ state: 'done' })
    expect(await readdir(join(other.path, 'dir'))).toHaveLength(names.length)
    expect(await readdir(server.root)).toEqual(['disk'])
  })

  it('includes restoring from the trash to another disk', async () => {
    using other = folderOnOtherDisk()
    await using server = await testApp({ options: { followExternalSymlinks: true } })
    await mkdir(join(other.path, 'dir'))
    await writeFile(join(other.path, 'dir/a'), 'a')
    await symlink(other.path, join(server.root, 'disk'))
    const ann = await server.user('ann', MAY)
    const trashed = async () => {
      expect((await ann.ask('DELETE', '/api/resources/disk/dir?trash=true')).statusCode).toBe(204)
      expect(await readdir(other.path)).toEqual([])
      return (await ann.ask('GET', '/api/trash')).json<{ id: string }[]>()[0]?.id
    }
    const waited = await ann.ask('POST', `/api/trash/${await trashed()}`)
    expect([waited.statusCode, waited.json()]).toEqual([200, { path: '/disk/dir' }])
    const started = await ann.ask('POST', `/api/trash/${await trashed()}`, ASYNC)
    expect(started.statusCode).toBe(202)
    const expected = { kind: 'move', state: 'done', path: '/disk/dir', destination: '/disk/dir' }
    expect(await untilEnded(ann, String(started.headers.location))).toMatchObject(expected)
    expect(await readdir(join(other.path, 'dir'))).toEqual(['a'])
    expect((await ann.ask('GET', '/api/trash')).json()).toEqual([])
  })

  it('includes the checksum of a large file', async () => {
    await using server = await testApp({ files: { large: 'x' } })
    await truncate(join(server.root, 'large'), 70_000_000)
    const ann = await server.user('ann', MAY)
    const waited = (await ann.ask('GET', '/api/resources/large?checksum=md5')).json<{ checksums: object }>()
    const started = await ann.ask('GET', '/api/resources/large?checksum=md5', ASYNC)
    expect(started.statusCode).toBe(202)
    const job = await untilEnded(ann, String(started.headers.location))
    expect(job).toMatchObject({ kind: 'checksum', checksums: waited.checksums, progress: { bytes: 70_000_000 } })
  })

  it('is waited for even longer than a connection may be idle', async () => {
    await using server = await testApp({ files: { large: 'x' } })
    await truncate(join(server.root, 'large'), 300_000_000)
    const ann = await server.user('ann', MAY)
    // The limit begins with the request, so that a busy machine may accept the connection slowly.
    server.app.server.prependListener('request', ({ socket }) => void socket.setTimeout(100))
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.app.server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/api/resources/large?checksum=sha512`
    expect((await fetch(url, { headers: { 'x-auth': ann.token } })).status).toBe(200)
  })

  it('is visible to its user and to administrators only', async () => {
    await using server = await testApp({ files: { 'dir/a': 'a' } })
    const ann = await server.user('ann', MAY)
    const bob = await server.user('bob', MAY)
    const admin = await server.admin()
    await ann.ask('DELETE', '/api/resources/dir')
    const [job] = (await ann.ask('GET', '/api/jobs')).json<Job[]>()
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await bob.ask(method, `/api/jobs/${job?.id}`)).statusCode).toBe(404)
    }
    expect((await bob.ask('GET', '/api/jobs')).json()).toEqual([])
    expect((await bob.ask('GET', '/api/jobs?all=true')).statusCode).toBe(403)
    expect((await admin.ask('GET', '/api/jobs')).json()).toEqual([])
    expect((await admin.ask('GET', '/api/jobs?all=true')).json()).toMatchObject([{ id: job?.id }])
    expect((await admin.ask('GET', `/api/jobs/${job?.id}`)).statusCode).toBe(200)
  })
})
