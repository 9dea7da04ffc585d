import { describe, expect, it } from 'vitest'
import { maskedText } from '../../../../../src/services/what-changed.ts'

describe('a text without its secrets', () => {
  it.each([
    ['postgres://filemgr:geh/e@im@db/filemgr', 'postgres://filemgr:***@db/filemgr'],
    ['postgres://filemgr@db/filemgr', 'postgres://filemgr@db/filemgr'],
    [
      'postgres://db/filemgr?user=x&password=abc&sslmode=disable',
      'postgres://db/filemgr?user=x&password=***&sslmode=disable',
    ],
    ['curl -H "Authorization: Bearer abc.def" $FILE', 'curl -H "Authorization: Bearer ***" $FILE'],
    ['curl -u bob:pw $FILE', 'curl -u *** $FILE'],
    ['notify --token abc --api-key=xyz --to bob', 'notify --token *** --api-key=*** --to bob'],
    ['mail --password "a b" bob', 'mail --password *** bob'],
    ['env DB_PASSWORD=abc run', 'env DB_PASSWORD=*** run'],
    ['X-Api-Key: abc', 'X-Api-Key: ***'],
    ['{"password":"abc"}', '{"password":***}'],
    ['/usr/bin/passing $FILE --name bob', '/usr/bin/passing $FILE --name bob'],
    ['https://files.example.org/base', 'https://files.example.org/base'],
  ])('%s', (text, masked) => {
    expect(maskedText(text)).toBe(masked)
  })

  it('may also leave out what follows the host of web addresses', () => {
    const hook = 'curl https://hooks.example.org/services/T1/B2/xyz?a=b $FILE'
    expect(maskedText(hook, { hidesPaths: true })).toBe('curl https://hooks.example.org/*** $FILE')
    expect(maskedText('/bin/run https://example.org/', { hidesPaths: true })).toBe('/bin/run https://example.org/')
  })

  it('is made quickly of any text', () => {
    const began = performance.now()
    for (const part of ['a', 'token', '--', 'x:', 'http://a:', '" ', '=', '-u '])
      maskedText(part.repeat(2048 / part.length))
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
