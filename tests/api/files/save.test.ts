import { link, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../helpers/api/test-app.ts'

describe('PUT /api/resources', () => {
  it('saves a file and gives its new ETag', async () => {
    await using server = await testApp({ files: { 'a.txt': 'old' } })
    const ann = await server.user('ann', { modify: true })
    const answer = await ann.ask('PUT', '/api/resources/a.txt', { payload: 'newer' })
    expect([answer.statusCode, answer.body]).toEqual([200, '200 OK\n'])
    expect(await readFile(join(server.root, 'a.txt'), 'utf8')).toBe('newer')
    const { mtimeNs, size } = await stat(join(server.root, 'a.txt'), { bigint: true })
    expect(answer.headers.etag).toBe(`"${mtimeNs.toString(16)}${size.toString(16)}"`)
  })

  it('empties a file with an empty body', async () => {
    await using server = await testApp({ files: { 'a.txt': 'old' } })
    const ann = await server.user('ann', { modify: true })
    expect((await ann.ask('PUT', '/api/resources/a.txt')).statusCode).toBe(200)
    expect(await readFile(join(server.root, 'a.txt'), 'utf8')).toBe('')
  })

  it.each([
    ['/api/resources/none.txt', 404],
    ['/api/resources/dir', 409],
    ['/api/resources/dir/', 405],
    ['/api/resources/', 405],
    ['/api/resources/a.txt/', 405],
  ])('refuses %s with %i and creates nothing', async (url, status) => {
    await using server = await testApp({ files: { 'a.txt': 'old', 'dir/': '' } })
    const ann = await server.user('ann', { modify: true, create: true })
    expect((await ann.ask('PUT', url, { payload: 'x' })).statusCode).toBe(status)
    expect((await readdir(server.root)).toSorted()).toEqual(['a.txt', 'dir'])
    expect(await readFile(join(server.root, 'a.txt'), 'utf8')).toBe('old')
  })

  it.each(['PUT', 'POST'] as const)(
    'reports when %s left hard links of the file with the old content',
    async (method) => {
      await using server = await testApp({ files: { 'a.txt': 'old' } })
      const ann = await server.user('ann', { modify: true, create: true })
      await link(join(server.root, 'a.txt'), join(server.root, 'b.txt'))
      const save = async () => (await ann.ask(method, '/api/resources/a.txt?override=true', { payload: 'new' })).headers
      expect((await save())['x-filemgr-links-parted']).toBe('1')
      expect(await readFile(join(server.root, 'b.txt'), 'utf8')).toBe('old')
      expect(await save()).not.toHaveProperty('x-filemgr-links-parted')
    },
  )

  it('keeps what somebody else saved meanwhile', async () => {
    await using server = await testApp({ files: { 'a.txt': 'old' } })
    const ann = await server.user('ann', { modify: true, download: true })
    const etag = String((await ann.ask('GET', '/api/resources/a.txt')).headers.etag)
    const save = async (payload: string) =>
      await ann.ask('PUT', '/api/resources/a.txt', { payload, headers: { 'if-match': etag } })
    expect((await save('first')).statusCode).toBe(200)
    expect((await save('second, of an old state')).statusCode).toBe(412)
    expect(await readFile(join(server.root, 'a.txt'), 'utf8')).toBe('first')
    expect(await readdir(server.root)).toEqual(['a.txt'])
  })
})

describe('the time of an upload', () => {
  it.each(['PUT', 'POST'] as const)('is kept when %s sends it', async (method) => {
    await using server = await testApp({ files: { 'a.txt': 'old' } })
    const ann = await server.user('ann', { modify: true, create: true })
    const headers = { 'x-oc-mtime': '1500000000.25' }
    const answer = await ann.ask(method, '/api/resources/a.txt?override=true', { payload: 'new', headers })
    expect([answer.statusCode, answer.headers['x-oc-mtime']]).toEqual([200, 'accepted'])
    expect((await stat(join(server.root, 'a.txt'))).mtimeMs).toBe(1_500_000_000_250)
  })

  it('must be a time', async () => {
    await using server = await testApp()
    const ann = await server.user('ann', { create: true })
    const headers = { 'x-oc-mtime': 'yesterday' }
    expect((await ann.ask('POST', '/api/resources/a', { payload: 'x', headers })).statusCode).toBe(400)
    expect(await readdir(server.root)).toEqual([])
  })
})
