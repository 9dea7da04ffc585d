import { describe, expect, it } from 'vitest'
import { parseVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { systemRandom } from '../../../../../src/platform/security/random.ts'
import { eventBody, newSecret, signedHeaders } from '../../../../../src/services/automation/webhooks/webhook-request.ts'

const NOW = Date.parse('2026-03-01T09:30:00.250Z')

describe('a message to a webhook', () => {
  it('is signed as in the test vector of Standard Webhooks', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' }
    expect(signedHeaders(message, { secret }, 1_614_265_330_999)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  it('names user and paths as in the served folder', () => {
    const user = { username: 'ann', scope: '/users/ann/' }
    const path = parseVirtualPath('/docs/ü.txt')
    expect(JSON.parse(eventBody('after_save', { user, path }, NOW))).toEqual({
      type: 'after_save',
      timestamp: '2026-03-01T09:30:00.250Z',
      data: { user: 'ann', path: '/users/ann/docs/ü.txt' },
    })
    const renamed = { user: { ...user, scope: '/' }, path, destination: parseVirtualPath('/b.txt') }
    expect(JSON.parse(eventBody('after_rename', renamed, NOW))).toMatchObject({
      data: { path: '/docs/ü.txt', destination: '/b.txt' },
    })
  })

  it('is well-formed whatever the names, and has their bytes as in addresses', () => {
    const user = { username: 'ann', scope: '/' }
    const paths = { path: parseVirtualPath('/é\udce9 a.txt'), destination: parseVirtualPath('/\udcff/b.txt') }
    const body = eventBody('after_rename', { user, ...paths }, NOW)
    expect(body).not.toMatch(/\\ud/i)
    expect(JSON.parse(body)).toMatchObject({
      data: {
        path: '/é\\xE9 a.txt',
        encodedPath: '/%C3%A9%E9%20a.txt',
        destination: '/\\xFF/b.txt',
        encodedDestination: '/%FF/b.txt',
      },
    })
  })

  it('has a secret of 32 random bytes', () => {
    const secrets = Array.from({ length: 20 }, () => newSecret(systemRandom))
    expect(new Set(secrets).size).toBe(20)
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
    }
  })
})
