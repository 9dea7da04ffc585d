import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isLong } from '../helpers/stress-size.ts'
import { testApp, type Client, type TestApp } from '../helpers/api/test-app.ts'

const ROUNDS = isLong ? 100 : 30
const RACERS = 4
const LENGTH = 300_000

const begin = async (client: Client, path: string, query = '') =>
  (await client.ask('POST', `/api/tus${path}${query}`, { headers: { 'upload-length': String(LENGTH) } })).statusCode

/** Over a real connection: only there do bodies come in pieces. */
async function part({ askExactly }: TestApp, { token }: Client, path: string, payload: Buffer): Promise<number> {
  const headers = {
    'x-auth': token,
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
    'content-length': String(payload.length),
  }
  return (await askExactly('PATCH', `/api/tus${path}`, { headers, payload })).statusCode
}

const rename = async (client: Client, from: string, to: string) => {
  const url = `/api/resources${from}?action=rename&destination=${encodeURIComponent(to)}`
  return (await client.ask('PATCH', url)).statusCode
}

const letter = (index: number) => Buffer.alloc(LENGTH, index + 1)

describe(`${ROUNDS} races`, () => {
  it('of parts at the same offset store exactly one of the bodies', async () => {
    await using server = await testApp()
    const bob = await server.user('bob', { create: true })
    await server.askExactly('GET', '/health')
    for (let round = 0; round < ROUNDS; round += 1) {
      const path = `/${round}.bin`
      expect(await begin(bob, path)).toBe(201)
      const bodies = Array.from({ length: RACERS }, (_, index) => letter(index))
      const statuses = await Promise.all(bodies.map(async (body) => await part(server, bob, path, body)))
      expect(statuses.filter((status) => status === 204)).toHaveLength(1)
      // The others have to ask for the offset again.
      for (const status of statuses.filter((other) => other !== 204)) expect(status).toBe(409)
      const content = await readFile(join(server.root, path))
      expect(bodies.some((body) => body.equals(content))).toBe(true)
    }
    expect((await readdir(server.root)).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('of an upload that replaces a file against a rename of that file lose neither', async () => {
    await using server = await testApp()
    const bob = await server.user('bob', { create: true, modify: true, rename: true })
    await server.askExactly('GET', '/health')
    const [old, fresh] = [letter(0), letter(1)]
    for (let round = 0; round < ROUNDS; round += 1) {
      const [path, other] = [`/${round}.bin`, `/${round}.moved`]
      await writeFile(join(server.root, path), old)
      expect(await begin(bob, path, '?override=true')).toBe(201)
      const [uploaded, renamed] = await Promise.all([part(server, bob, path, fresh), rename(bob, path, other)])
      expect([uploaded, renamed]).toEqual([204, 200])
      const moved = await readFile(join(server.root, other))
      // The rename came first and moved the old file, or last and moved the new one.
      if (moved.equals(fresh)) expect(await readdir(server.root)).not.toContain(path.slice(1))
      else {
        expect(moved.equals(old)).toBe(true)
        expect((await readFile(join(server.root, path))).equals(fresh)).toBe(true)
      }
    }
  })

  it('of an upload against a rename to its name have one winner, and the other one keeps its bytes', async () => {
    await using server = await testApp()
    const bob = await server.user('bob', { create: true, rename: true })
    await server.askExactly('GET', '/health')
    const [other, fresh] = [letter(0), letter(1)]
    for (let round = 0; round < ROUNDS; round += 1) {
      const [path, from] = [`/${round}.bin`, `/${round}.other`]
      await writeFile(join(server.root, from), other)
      expect(await begin(bob, path)).toBe(201)
      const [uploaded, renamed] = await Promise.all([part(server, bob, path, fresh), rename(bob, from, path)])
      const content = await readFile(join(server.root, path))
      if (uploaded === 204) {
        expect([renamed, content.equals(fresh)]).toEqual([409, true])
        expect((await readFile(join(server.root, from))).equals(other)).toBe(true)
      } else {
        expect([uploaded, renamed, content.equals(other)]).toEqual([409, 200, true])
        // The upload still has its bytes, and can be started over under another name or cancelled.
        expect((await bob.ask('DELETE', `/api/tus${path}`)).statusCode).toBe(204)
      }
    }
    expect((await readdir(server.root)).filter((name) => name.startsWith('.'))).toEqual([])
  })
})
