import { describe, expect, it } from 'vitest'
import { testApp } from '../../helpers/api/test-app.ts'

describe('errors', () => {
  it('are plain text with the status for clients that name no type', async () => {
    await using server = await testApp()
    const answer = await server.ask('GET', '/api/users', { headers: { accept: '*/*' } })
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body).toBe('401 Unauthorized\n')
  })

  it('are JSON for clients that ask for it', async () => {
    await using server = await testApp()
    const answer = await server.ask('GET', '/api/users', { headers: { accept: 'application/json' } })
    expect([answer.statusCode, answer.json<object>()]).toEqual([
      401,
      { error: { code: 'UNAUTHENTICATED', message: expect.any(String) as string, details: {} } },
    ])
  })

  it('say why only for 400', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const answer = await admin.ask('GET', '/api/sessions?all=perhaps')
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toMatch(/^400 Bad Request \(.+\)\n$/)
  })

  it('hide internal causes, and log them under an id', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    server.context.services.users.list = () => Promise.reject(new Error('secret /path'))
    const answer = await admin.ask('GET', '/api/users', { headers: { accept: 'application/json' } })
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('secret')
    const { id } = answer.json<{ error: { details: { id: string } } }>().error.details
    expect(server.log.find(({ level }) => level === 'error')?.facts).toMatchObject({ id })
  })

  it('answer 400 to an invalid escape, for which no Fastify hook runs', async () => {
    await using server = await testApp()
    const answer = await server.ask('GET', '/api/resources/%zz')
    expect([answer.statusCode, answer.body]).toEqual([400, '400 Bad Request'])
    expect(answer.headers).toMatchObject({ connection: 'close', 'x-content-type-options': 'nosniff' })
  })
})

describe('routing', () => {
  it.each([
    ['HEAD', '/api/backup'],
    ['HEAD', '/api/nosuch'],
    ['PATCH', '/api/users'],
    ['OPTIONS', '/api/users'],
    ['POST', '/api/users/1'],
    ['POST', '/api/settings'],
    ['DELETE', '/api/raw/a.txt'],
    ['HEAD', '/api/search/?query=a'],
    ['GET', '/api/users/abc'],
    ['GET', '/api/users/'],
    ['GET', '/api/nosuch'],
    ['GET', '/api'],
    ['POST', '/'],
  ] as const)('answers 404 to %s %s', async (method, url) => {
    await using server = await testApp()
    const admin = await server.admin()
    const answer = await admin.ask(method, url)
    expect([answer.statusCode, answer.body]).toEqual([404, method === 'HEAD' ? '' : '404 Not Found\n'])
  })

  it('answers 404 to an HTTP method that no route has', async () => {
    await using server = await testApp()
    const { statusCode } = await server.askExactly('PROPFIND', '/api/resources/a')
    expect(statusCode).toBe(404)
  })

  it.each([
    ['GET', '/api/resources', '/api/resources/', '<a href="/api/resources/">Moved Permanently</a>.\n\n'],
    ['GET', '/api/raw?x=1', '/api/raw/?x=1', '<a href="/api/raw/?x=1">Moved Permanently</a>.\n\n'],
    ['GET', '/api/usage', '/api/usage/', '<a href="/api/usage/">Moved Permanently</a>.\n\n'],
    ['POST', '/api/resources', '/api/resources/', ''],
    ['GET', '//api/users', '/api/users', ''],
    ['GET', '/api/resources/a/../b?q=1', '/api/resources/b?q=1', ''],
    ['DELETE', '/api/resources/..%2f..%2fx', '/x', ''],
  ] as const)('redirects %s %s to %s before it checks who asks', async (method, url, location, body) => {
    await using server = await testApp()
    const answer = await server.askExactly(method, url)
    expect([answer.statusCode, answer.headers.location, answer.body]).toEqual([301, location, body])
  })

  it('serves below the base URL, and what a proxy has taken the prefix from', async () => {
    await using server = await testApp({ options: { baseURL: '/fb' } })
    expect((await server.ask('GET', '/fb/health')).statusCode).toBe(200)
    expect((await server.ask('GET', '/health')).statusCode).toBe(200)
    // Not below the prefix, so an address of the page.
    expect((await server.ask('GET', '/fbx/health')).statusCode).toBe(503)
    // No page is built.
    expect((await server.ask('GET', '/')).statusCode).toBe(503)
    expect((await server.ask('GET', '/fb?a=1')).headers.location).toBe('/fb/?a=1')
    expect((await server.ask('GET', '/fb/api/usage')).headers.location).toBe('/fb/api/usage/')
    expect((await server.ask('GET', '/fb/api//users')).headers.location).toBe('/fb/api/users')
  })

  it('keeps the daemon from starting with a route that has no operation', async () => {
    await using server = await testApp()
    const { operationGuard } = await import('../../../src/http/plugins/route-guards.ts')
    const { fastify } = await import('fastify')
    const bare = fastify()
    operationGuard(bare)
    expect(() => bare.get('/free', () => 'for all')).toThrow('has no operation')
    await expect(bare.ready()).rejects.toThrow('operations without a route: ')
    expect(server.app.hasRoute({ method: 'GET', url: '/health' })).toBe(true)
  })
})

describe('headers', () => {
  it.each(['/health', '/api/users', '/api/nosuch', '/', '/static/none'])('protect %s', async (url) => {
    await using server = await testApp()
    const { headers } = await server.ask('GET', url)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})
