import { expect, it } from 'vitest'
import { isHostName } from '../../../../src/domain/server/host-name.ts'
import { requireLocalPath } from '../../../../src/domain/server/local-path.ts'

it.each(['mysql://root:secret@db/files', 's3:/bucket', 'postgress://db/files', 'HTTPS://example.org'])(
  'refuses the address %s, without showing it',
  (text) => {
    const refused = () => requireLocalPath(text, '--to', 'name a folder')
    expect(refused).toThrow(`"${text.slice(0, text.indexOf(':') + 1)}"; name a folder`)
    expect(refused).not.toThrow('secret')
  },
)

it.each(['/srv/files', './mysql:/files', 'a:b', 'c:/files', 'notes: today/a', ''])('takes the path %j', (text) => {
  expect(() => requireLocalPath(text, '--to', 'name a folder')).not.toThrow()
})

it.each([
  ['localhost', true],
  ['files.example.org', true],
  ['my_host', true],
  ['0a', true],
  ['example.org.', true],
  ['999.1.1.1', false],
  ['1.2.3', false],
  ['12', false],
  ['-a.example', false],
  ['a..b', false],
  ['a b', false],
  [`${'a'.repeat(64)}.org`, false],
])('%s as a host name: %s', (text, expected) => {
  expect(isHostName(text)).toBe(expected)
})
