import { expect, it } from 'vitest'
import {
  hasPassword,
  isStoreUrl,
  requireStoreUrl,
  storeServers,
  withoutPassword,
} from '../../../../src/domain/server/store-url.ts'

it.each([
  ['postgres://filemgr@db/filemgr', false],
  ['postgres://filemgr:secret@db/filemgr', true],
  ['postgresql://filemgr@db/filemgr?password=secret', true],
  ['postgres:///filemgr?host=/run/postgresql', false],
  ['postgres://filemgr:secret@a:5432,b/filemgr?target_session_attrs=read-write', true],
  ['postgres://filemgr@a,b:5433/filemgr', false],
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

it('an address of several servers is shown as it was written, without the password', () => {
  const shown = withoutPassword('postgres://filemgr:se,c@ret@a:1,b:2/db?target_session_attrs=read-write')
  expect(shown).toBe('postgres://filemgr@a:1,b:2/db?target_session_attrs=read-write')
})

it.each([
  ['postgres://f:p@a/db', ['postgres://f:p@a/db']],
  ['postgres://f:p@a:1,b/db?target_session_attrs=primary', ['postgres://f:p@a:1/db', 'postgres://f:p@b/db']],
  ['postgres:///db?host=a,b&port=1,2', ['postgres:///db?host=a&port=1', 'postgres:///db?host=b&port=2']],
  ['postgres://u@/db?host=a,b', ['postgres://u@localhost/db?host=a', 'postgres://u@localhost/db?host=b']],
  ['postgres:///db?host=a,b&port=7', ['postgres:///db?host=a&port=7', 'postgres:///db?host=b&port=7']],
  ['postgres://a/db?sslmode=require', ['postgres://a/db?sslmode=verify-full']],
  ['postgres://a/db?sslmode=no-verify', ['postgres://a/db?sslmode=no-verify']],
])('%s names the servers %j', (url, servers) => {
  requireStoreUrl(url)
  expect(storeServers(url)).toEqual(servers)
})

it.each([
  ['sslmode=prefer', 'sslmode'],
  ['sslmode=on', 'sslmode'],
  ['target_session_attrs=standby', 'target_session_attrs'],
  ['host=a,b,c&port=1,2', 'port'],
])('an address with %s is refused, and the refusal names %s', (query, named) => {
  expect(() => requireStoreUrl(`postgres://a/db?${query}`)).toThrow(named)
})
