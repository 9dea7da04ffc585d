import { expect, it } from 'vitest'
import { isBucketUrl, parseBucketUrl } from '../../../../src/domain/server/bucket-url.ts'

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
