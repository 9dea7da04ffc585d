import { describe, expect, it } from 'vitest'
import type { ShareView } from '../../src/domain/share.ts'
import { testApp, type Client } from '../helpers/test-app.ts'

const MAY = { share: true, download: true }

async function share(client: Client, path: string, body: object = {}): Promise<ShareView> {
  const answer = await client.ask('POST', `/api/share${path}`, { payload: JSON.stringify(body) })
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`)
  return answer.json<ShareView>()
}

describe('a share', () => {
  it('opens to somebody who is not signed in', async () => {
    await using server = await testApp({ files: { 'docs/a.txt': 'alpha', 'docs/sub/b.txt': 'beta' } })
    const ann = await server.user('ann', MAY)
    const made = await share(ann, '/docs')
    expect(made).toEqual({ hash: made.hash, path: '/docs', userID: 2, expire: 0, hasPassword: false })
    expect(made.hash).toMatch(/^[\w-]{16}$/)
    const listing = await server.ask('GET', `/api/public/share/${made.hash}`)
    expect(listing.json()).toMatchObject({ path: '/', name: 'docs', items: [{ path: '/sub' }, { path: '/a.txt' }] })
    expect((await server.ask('GET', `/api/public/dl/${made.hash}/a.txt`)).body).toBe('alpha')
    expect((await server.ask('GET', `/api/public/share/${made.hash}/sub`)).json()).toMatchObject({
      path: '/sub',
      name: 'docs',
    })
  })
})
