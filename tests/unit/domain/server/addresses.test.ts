import { isBucketUrl, parseBucketUrl, isHostName, requireLocalPath } from '../../../../src/domain/server/addresses.ts'
import { expect, it } from 'vitest'

it('distinguishes buckets from folders', () => {
  expect(['s3://files', 'S3://files/a', '/srv/s3://x', 's3:', './s3', 's3:/files'].map(isBucketUrl)).toEqual([
    ...[true, true, false, false, false, false],
  ])
})

it.each([
  ['s3://files', 'files', ''],
  ['s3://files/', 'files', ''],
  ['s3://my.files-1/a b/ö//c/', 'my.files-1', 'a b/ö/c/'],
])('reads %s', (root, bucket, prefix) => {
  expect(parseBucketUrl(root)).toEqual({ bucket, prefix })
})

it.each([
  's3://',
  's3:///a',
  's3://ab',
  's3://a_b!',
  's3://key:secret@files/a',
  's3://files/../other',
  's3://files/./a',
])('refuses %s and does not repeat it', (root) => {
  expect(() => parseBucketUrl(root)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
  expect(() => parseBucketUrl(root)).not.toThrow(/secret/)
})

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
