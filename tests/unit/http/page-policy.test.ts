import { describe, expect, it } from 'vitest'
import { bucketOrigins } from '../../../src/domain/server/server-options.ts'
import { pagePolicy } from '../../../src/http/page/fill-page.ts'

describe('the policy of the page', () => {
  it('lets nobody put the page into a frame', () => {
    for (const policy of [pagePolicy('n'), pagePolicy('n', 'https://recaptcha.net', ['https://s3.example.org'])])
      expect(policy).toContain("frame-ancestors 'none'")
  })

  it('lets recaptcha.net go on at www.recaptcha.net', () => {
    const hosts = 'https://recaptcha.net https://www.recaptcha.net'
    const policy = pagePolicy('n', 'https://recaptcha.net')
    expect(policy).toContain(`script-src 'self' ${hosts} https://www.gstatic.com/recaptcha/;`)
    for (const part of ['connect-src', 'frame-src']) expect(policy).toContain(`${part} 'self' ${hosts};`)
  })

  it('lets scripts reach the bucket only if it is open to browsers', () => {
    const options = { s3Direct: 'https://s3.example.org:9000', root: 's3://files/a' }
    const origins = ['https://s3.example.org:9000', 'https://files.s3.example.org:9000']
    expect(bucketOrigins(options)).toEqual(origins)
    expect(pagePolicy('n', undefined, origins)).toContain(`connect-src 'self' ${origins.join(' ')};`)
    for (const closed of [{ s3Direct: '' }, { root: '/srv/files' }])
      expect(bucketOrigins({ ...options, ...closed })).toEqual([])
    expect(pagePolicy('n')).toContain("connect-src 'self';")
  })

  it.each(['https://www.google.com', 'https://www.recaptcha.net'])(
    "lets a captcha of %s load Google's script",
    (host) => {
      expect(pagePolicy('n', host)).toContain(`script-src 'self' ${host} https://www.gstatic.com/recaptcha/;`)
    },
  )

  it.each(['https://evil-recaptcha.net', 'https://recaptcha.net.example'])(
    'lets %s load no script of Google',
    (host) => {
      expect(pagePolicy('n', host)).not.toContain('gstatic')
    },
  )
})
