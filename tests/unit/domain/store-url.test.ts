import { expect, it } from 'vitest'
import { hasPassword, isStoreUrl, requireStoreUrl, withoutPassword } from '../../../src/domain/settings/store-url.ts'

it.each([
  ['postgres://filemgr@db/filemgr', false],
  ['postgres://filemgr:secret@db/filemgr', true],
  ['postgresql://filemgr@db/filemgr?password=secret', true],
  ['postgres:///filemgr?host=/run/postgresql', false],
])('%s: a password is found (%s) and left out', (url, has) => {
  expect([isStoreUrl(url), hasPassword(url)]).toEqual([true, has])
  expect(withoutPassword(url)).not.toContain('secret')
  expect(hasPassword(withoutPassword(url))).toBe(false)
})

it('an invalid address of a database is refused without quoting it, and not shown', () => {
  for (const text of ['mysql://a:secret@db/x', 'a:secret@db', 'postgres//:secret'])
    expect(() => requireStoreUrl(text)).toThrow(/^(?!.*secret)/)
  expect(withoutPassword('a secret')).toBe('')
})
