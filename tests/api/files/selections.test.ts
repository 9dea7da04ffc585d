import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { UserId } from '../../../src/domain/ids.ts'
import { movableClock } from '../../helpers/movable-clock.ts'
import { denyAll, download, serveShared, shareOf, withPassword } from '../../helpers/api/shared.ts'
import { testApp, type Answer, type Ask, type TestApp } from '../../helpers/api/test-app.ts'

const MINUTE = 60_000
/** 255 bytes each: together, they are too long for an address. */
const NAMES = Array.from(
  { length: 30 },
  (_, index) => `${'日本'.repeat(41)}${String(index).padStart(2, '0')}.${'x'.repeat(6)}`,
)

async function select(ask: Ask, url: string, files: readonly string[], headers = {}): Promise<Answer> {
  return await ask('POST', url, { payload: JSON.stringify({ files }), headers })
}

/** From the directory at the end of a zip. */
function zipNames(zip: Buffer): string[] {
  const names: string[] = []
  const end = zip.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  let at = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [name, extra, comment] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)]
    names.push(zip.toString('utf8', at + 46, at + 46 + name))
    at += 46 + name + extra + comment
  }
  return names
}

const addressIn = (answer: Answer) => answer.json<{ address: string }>().address

async function serve(): Promise<TestApp> {
  return await testApp({
    files: Object.fromEntries(NAMES.map((name) => [`docs/${name}`, name])),
    clock: movableClock(),
  })
}

describe('a selection of files', () => {
  it('whose names are too long for an address is downloaded as one archive', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const made = await select(ann.ask, '/api/selections/docs?algo=zip', NAMES.slice(1))
    expect(made.statusCode).toBe(200)
    expect(addressIn(made)).toMatch(/^\/api\/raw\/docs\?selection=[\w-]{24}&algo=zip$/)
    const archive = await ann.ask('GET', addressIn(made))
    expect(zipNames(archive.rawPayload).toSorted()).toEqual(NAMES.slice(1).toSorted())
    expect(archive.headers['content-disposition']).toContain('_docs.zip')
    const head = await ann.ask('HEAD', addressIn(made))
    expect([head.statusCode, head.headers['content-disposition']]).toEqual([
      200,
      archive.headers['content-disposition'],
    ])
    const etag = String(archive.headers.etag)
    const rest = await ann.ask('GET', addressIn(made), { headers: { range: 'bytes=100-', 'if-range': etag } })
    expect([rest.statusCode, rest.rawPayload.equals(archive.rawPayload.subarray(100))]).toEqual([206, true])
  })

  it('may have 10,000 items, and not one more', async () => {
    const names = Array.from({ length: 10_001 }, (_, index) => String(index))
    await using server = await testApp({ files: { 1: 'first', 5000: 'other', 10_000: 'last' } })
    const ann = await server.user('ann', { download: true })
    const made = await select(ann.ask, '/api/selections/', names.slice(1))
    const archive = await ann.ask('GET', addressIn(made))
    expect(zipNames(archive.rawPayload).toSorted()).toEqual(['1', '10000', '5000'])
    expect((await select(ann.ask, '/api/selections/', names)).statusCode).toBe(400)
    for (const payload of [
      '{}',
      '{"files":[]}',
      '{"files":[""]}',
      '{"files":[1]}',
      'x',
      `{"files":["${'x'.repeat(5000)}"]}`,
    ])
      expect((await ann.ask('POST', '/api/selections/', { payload })).statusCode, payload.slice(0, 20)).toBe(400)
  })

  it('names things in its folder only', async () => {
    await using server = await testApp({ files: { 'a/in.txt': 'in', 'out.txt': 'secret', 'a/sub/x.txt': 'x' } })
    const ann = await server.user('ann', { download: true })
    const names = ['../out.txt', 'sub/x.txt', 'sub', '/in.txt', 'none']
    const made = await select(ann.ask, '/api/selections/a', names)
    expect(zipNames((await ann.ask('GET', addressIn(made))).rawPayload).toSorted()).toEqual([
      'in.txt',
      'sub/',
      'sub/x.txt',
    ])
    expect((await select(ann.ask, '/api/selections/none', ['x'])).statusCode).toBe(404)
    expect((await select(ann.ask, '/api/selections/out.txt', ['x'])).statusCode).toBe(400)
  })

  it('belongs to the user who made it, and to its folder, for half an hour', async () => {
    await using server = await serve()
    const [ann, bob] = [await server.user('ann', { download: true }), await server.user('bob', { download: true })]
    const address = addressIn(await select(ann.ask, '/api/selections/docs', NAMES))
    expect((await server.ask('GET', address)).statusCode).toBe(401)
    expect((await bob.ask('GET', address)).statusCode).toBe(404)
    expect((await ann.ask('GET', address.replace('/docs', '/'))).statusCode).toBe(404)
    expect((await ann.ask('GET', address.replace(/=.{4}/, '=AAAA'))).statusCode).toBe(404)
    server.context.clock.move(29 * MINUTE)
    expect((await ann.ask('HEAD', address)).statusCode).toBe(200)
    server.context.clock.move(2 * MINUTE)
    const late = await ann.ask('GET', address)
    expect([late.statusCode, late.body]).toEqual([404, expect.stringContaining('select the files again') as string])
  })

  it('is judged when it is downloaded: by the permission, the rules and the scope of then', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const address = addressIn(await select(ann.ask, '/api/selections/docs', NAMES))
    const { store } = server.context
    await denyAll(server, `/docs/${NAMES[0] ?? ''}`)
    expect(zipNames((await ann.ask('GET', address)).rawPayload).toSorted()).toEqual(NAMES.slice(1).toSorted())
    await denyAll(server, '/docs')
    expect((await ann.ask('GET', address)).statusCode).toBe(403)
    await store.update((draft) => {
      for (const user of draft.users) {
        user.rules = []
        if (user.username === 'ann') user.perm.download = false
      }
    })
    expect((await ann.ask('GET', address)).statusCode).toBe(202)
  })

  it('is kept in a bounded number: the oldest of a user gives way, and those of others stay', async () => {
    await using server = await serve()
    const [ann, bob] = [await server.user('ann', { download: true }), await server.user('bob', { download: true })]
    const first = addressIn(await select(bob.ask, '/api/selections/docs', NAMES))
    const made: string[] = []
    for (let count = 0; count < 9; count += 1)
      made.push(addressIn(await select(ann.ask, '/api/selections/docs', NAMES)))
    const statuses = await Promise.all(made.map(async (address) => (await ann.ask('HEAD', address)).statusCode))
    expect(statuses).toEqual([404, ...Array.from({ length: 8 }, () => 200)])
    expect((await bob.ask('HEAD', first)).statusCode).toBe(200)
  })

  it('of many bytes is refused, or takes the room of older ones of the same user', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const long = (count: number) =>
      Array.from({ length: count }, (_, index) => `${index}/${`${'x'.repeat(199)}/`.repeat(20)}`)
    expect((await select(ann.ask, '/api/selections/docs', long(1000))).statusCode).toBe(413)
    const made: string[] = []
    for (let count = 0; count < 3; count += 1)
      made.push(addressIn(await select(ann.ask, '/api/selections/docs', long(700))))
    const statuses = await Promise.all(made.map(async (address) => (await ann.ask('HEAD', address)).statusCode))
    expect(statuses).toEqual([404, 200, 200])
  })
})

describe('a selection of a visitor', () => {
  it('is downloaded by visitors of the same link, with its password', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const { hash } = await shareOf(ann, '/docs', { password: 'open' })
    const other = await shareOf(ann, '/docs')
    const url = `/api/public/dl/${hash}`
    expect((await select(server.ask, url.replace('/dl/', '/selections/'), ['a.txt', 'sub'])).statusCode).toBe(401)
    const made = await select(
      server.ask,
      `/api/public/selections/${hash}?algo=tar`,
      ['a.txt', 'sub', 'deny/no.txt'],
      withPassword('open').headers,
    )
    expect(addressIn(made)).toMatch(new RegExp(`^${url}\\?selection=[\\w-]{24}&algo=tar&token=`))
    const archive = await server.ask('GET', addressIn(made))
    expect([archive.statusCode, archive.body.includes('alpha'), archive.body.includes('beta')]).toEqual([
      200,
      true,
      true,
    ])
    expect((await server.ask('GET', addressIn(made).replace(/&token=.*/, ''))).statusCode).toBe(401)
    expect((await download(server, other, addressIn(made).slice(url.length))).statusCode).toBe(404)
    expect((await ann.ask('GET', addressIn(made).replace(url, '/api/raw/docs'))).statusCode).toBe(404)
    await ann.ask('DELETE', `/api/share/${hash}`)
    expect((await server.ask('GET', addressIn(made))).statusCode).toBe(404)
  })

  it('counts as a download only when it is downloaded', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const share = await shareOf(ann, '/docs', { terms: { maxDownloads: 1 } })
    const url = `/api/public/dl/${share.hash}`
    const address = addressIn(await select(server.ask, url.replace('/dl/', '/selections/'), ['a.txt', 'sub']))
    expect([(await server.ask('GET', address)).statusCode, (await server.ask('GET', address)).statusCode]).toEqual([
      200, 403,
    ])
  })
})

it('an API token downloads a selection, limited to its folder', async () => {
  await using server = await testApp({ files: { 'docs/a.txt': 'alpha', 'docs/b.txt': 'beta', 'c.txt': 'gamma' } })
  const order = { name: 'x', permissions: ['download' as const], path: '/docs' }
  const { token } = await server.context.services.apiTokens.create(OPERATOR, order, { owner: 1 as UserId })
  const headers = { authorization: `Bearer ${token}` }
  const address = addressIn(await select(server.ask, '/api/selections/docs', ['a.txt', 'b.txt'], headers))
  expect((await server.ask('GET', address, { headers })).statusCode).toBe(200)
  expect((await select(server.ask, '/api/selections/', ['c.txt'], headers)).statusCode).toBe(403)
})
