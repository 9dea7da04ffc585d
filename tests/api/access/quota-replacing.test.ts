import { describe, expect, it } from 'vitest'
import { isOver, type Job } from '../../../src/domain/automation/job.ts'
import { begin, MB, TEN_MINUTES, openWorld, remove, SIZE, upload, usedOf } from '../../helpers/api/quota-world.ts'
import type { Answer, Client } from '../../helpers/api/test-app.ts'
import { eventually } from '../../helpers/patience.ts'

const PART = { 'content-type': 'application/offset+octet-stream' }

const sendPart = async (client: Client, name: string, bytes: number) => {
  const headers = { ...PART, 'upload-offset': '0' }
  return await client.ask('PATCH', `/api/tus/${name}`, { headers, payload: Buffer.alloc(bytes, 'x') })
}

const compress = async (client: Client, names: string[], destination: string) => {
  const payload = JSON.stringify({ names, destination, override: true })
  return await client.ask('POST', '/api/compress/', { headers: { accept: 'application/json' }, payload })
}

const copyOver = async (client: Client, from: string, to: string) =>
  await client.ask('PATCH', `/api/resources/${from}?action=copy&destination=%2F${to}&override=true`)

async function codeOf(client: Client, started: Answer): Promise<string> {
  const { id, error } = started.body.startsWith('{') ? started.json<Partial<Job>>() : {}
  if (id === undefined) return error?.code ?? (started.statusCode < 300 ? 'done' : String(started.statusCode))
  const job = async () => (await client.ask('GET', `/api/jobs/${id}`)).json<Job>()
  return await eventually(async () => {
    const now = await job()
    expect(isOver(now)).toBe(true)
    return now.error?.code ?? now.state
  })
}

describe('a quota', () => {
  it('counts what replaces something by what it adds, at each door', async () => {
    await using world = await openWorld({ quota: 2 * MB + SIZE, quotaFiles: 2 })
    const { ann } = world
    for (const name of ['a', 'b']) expect((await upload(ann, name, MB)).statusCode).toBe(200)
    const over = '?override=true'
    expect((await upload(ann, 'a', MB + SIZE + 1, over)).statusCode).toBe(507)
    expect((await upload(ann, 'a', MB + SIZE, over)).statusCode).toBe(200)
    expect((await begin(ann, 'a', MB + SIZE + 1, over)).statusCode).toBe(507)
    expect((await begin(ann, 'a', MB + SIZE, over)).statusCode).toBe(201)
    expect(await usedOf(ann)).toEqual({ bytes: 2 * MB + SIZE, files: 2 })
    expect((await sendPart(ann, 'a', MB + SIZE)).statusCode).toBe(204)
    expect((await copyOver(ann, 'b', 'a')).statusCode).toBe(200)
    expect((await copyOver(ann, 'b', 'c')).statusCode).toBe(507)
    world.server.context.clock.move(TEN_MINUTES)
    expect(await usedOf(ann)).toEqual({ bytes: 2 * MB, files: 2 })
  })

  it('counts a merged folder and a compressed archive by what they add', async () => {
    await using world = await openWorld({ quota: 2 * MB, quotaFiles: 7 })
    const { ann } = world
    for (const name of ['from/a', 'from/b', 'to/a', 'to/c']) await upload(ann, name, MB / 4)
    const merged = await ann.ask('PATCH', '/api/resources/from?action=copy&destination=%2Fto&override=true')
    expect(await codeOf(ann, merged)).toBe('done')
    expect(await usedOf(ann)).toEqual({ bytes: (5 * MB) / 4, files: 7 })
    expect(await codeOf(ann, await compress(ann, ['from'], '/archive.tar'))).toBe('QUOTA_EXCEEDED')
    await remove(ann, 'to/c')
    world.server.context.clock.move(TEN_MINUTES)
    for (const _time of [1, 2]) expect(await codeOf(ann, await compress(ann, ['from'], '/archive.tar'))).toBe('done')
  })

  it('is not exceeded when the file that an upload replaces has gone meanwhile', async () => {
    await using world = await openWorld({ quota: MB })
    const { ann } = world
    await upload(ann, 'a', MB)
    expect((await begin(ann, 'a', MB, '?override=true')).statusCode).toBe(201)
    await remove(ann, 'a')
    world.server.context.clock.move(TEN_MINUTES)
    expect((await upload(ann, 'b', SIZE)).statusCode).toBe(200)
    expect((await sendPart(ann, 'a', MB)).statusCode).toBe(507)
    await remove(ann, 'b')
    world.server.context.clock.move(TEN_MINUTES)
    const settled = await ann.ask('PATCH', '/api/tus/a', { headers: { ...PART, 'upload-offset': String(MB) } })
    expect(settled.statusCode).toBe(204)
    expect(await usedOf(ann)).toEqual({ bytes: MB, files: 1 })
  })
})
