import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRequest } from '../../helpers/api/open-request.ts'
import { testApp, type TestApp } from '../../helpers/api/test-app.ts'

const ROUNDS = 50

describe('two writers at once', () => {
  it('with the same ETag: one saves, the other learns that the file has changed', async () => {
    await using server = await testApp({ files: { 'a.txt': 'old' } })
    const ann = await server.user('ann', { modify: true, download: true })
    for (let round = 0; round < ROUNDS; round += 1) {
      const headers = { 'if-match': String((await ann.ask('GET', '/api/resources/a.txt')).headers.etag) }
      const save = async (payload: string) => await ann.ask('PUT', '/api/resources/a.txt', { payload, headers })
      const answers = await Promise.all([save(`one ${round}`), save(`the other ${round}`)])
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 412])
      const saved = answers[0].statusCode === 200 ? `one ${round}` : `the other ${round}`
      expect(await readFile(join(server.root, 'a.txt'), 'utf8')).toBe(saved)
    }
  })

  it('of the same new name: one creates it, the other learns that it exists', async () => {
    await using server = await testApp()
    const ann = await server.user('ann', { create: true, modify: true })
    for (let round = 0; round < ROUNDS; round += 1) {
      const make = async (payload: string) =>
        await ann.ask('POST', `/api/resources/${round}.txt?override=true`, {
          payload,
          headers: { 'if-none-match': '*' },
        })
      const answers = await Promise.all([make('one'), make('the other')])
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 412])
      const made = answers[0].statusCode === 200 ? 'one' : 'the other'
      expect(await readFile(join(server.root, `${round}.txt`), 'utf8')).toBe(made)
    }
  })
})

/** How many uploads under way have a hidden file in the served folder. */
const waiting = async ({ root }: TestApp) =>
  (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.fm-tmp')).length

describe('while a file is being sent', () => {
  it.each(['POST', 'tus'])('%s with override replaces no file for a user who may only create files', async (kind) => {
    await using server = await testApp()
    const ann = await server.user('ann', { create: true })
    const file = join(server.root, 'a.txt')
    if (kind === 'tus') {
      const headers = { 'upload-length': '3' }
      expect((await ann.ask('POST', '/api/tus/a.txt?override=true', { headers })).statusCode).toBe(201)
      await writeFile(file, 'of the administrator')
      const part = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
      const end = await ann.ask('PATCH', '/api/tus/a.txt', { headers: part, payload: 'abc' })
      expect(end.statusCode).toBe(403)
    } else {
      using request = await openRequest(server.app, ann, 'POST', '/api/resources/a.txt?override=true', { body: 'a' })
      await expect.poll(() => waiting(server)).toBe(1)
      await writeFile(file, 'of the administrator')
      request.sent.end('bc')
      expect((await request.answer).statusCode).toBe(403)
    }
    expect(await readFile(file, 'utf8')).toBe('of the administrator')
  })

  it('a deleted file is not created again by a user who may only modify files', async () => {
    await using server = await testApp({ files: { 'a.txt': 'old' } })
    const ann = await server.user('ann', { modify: true })
    using request = await openRequest(server.app, ann, 'PUT', '/api/resources/a.txt', { body: 'a' })
    await expect.poll(() => waiting(server)).toBe(1)
    await rm(join(server.root, 'a.txt'))
    request.sent.end('bc')
    expect((await request.answer).statusCode).toBe(404)
    expect(await readdir(server.root)).toEqual([])
  })
})
