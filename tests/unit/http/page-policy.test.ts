import { describe, expect, it } from 'vitest'
import { pagePolicy } from '../../../src/http/page/fill-page.ts'

describe('the policy of the page', () => {
  it.each(['https://www.google.com', 'https://www.recaptcha.net', 'https://recaptcha.net'])(
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
