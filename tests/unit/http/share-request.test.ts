import { expect, it } from 'vitest'
import { sharePasswordOf, splitShared } from '../../../src/http/protocol/caller.ts'
import { errorLike } from '../../helpers/unit/error-like.ts'

it.each([
  ['abc', 'abc', '/'],
  ['abc/', 'abc', '/'],
  ['abc/docs/a.txt', 'abc', '/docs/a.txt'],
  ['', '', '/'],
])('"%s" is the hash "%s" and the path %s', (text, hash, path) => {
  expect(splitShared(text)).toEqual({ hash, path })
})

it.each([
  ['open', 'open'],
  ['s3cret%20%C3%A9%2B%25', 's3cret é+%'],
  ['a+b', 'a b'],
  ['', ''],
])('the password %s means %s', (header, password) => {
  expect(sharePasswordOf({ 'x-share-password': header })).toBe(password)
})

it.each(['%zz', '%', '%c3'])('the password %s cannot be read and opens nothing', (header) => {
  expect(() => sharePasswordOf({ 'x-share-password': header })).toThrow(errorLike('UNAUTHENTICATED'))
})

it('the password is absent without the header', () => {
  expect(sharePasswordOf({})).toBeUndefined()
})

it.each([
  ['UTF-8', 'any:gr\xc3\xbc\xc3\x9fe:1'],
  ['Windows-1252', 'any:gr\xfc\xdfe:1'],
])('the password of Basic may be in %s', (_, credentials) => {
  expect(sharePasswordOf({ authorization: `Basic ${btoa(credentials)}` })).toBe('grüße:1')
})

it('wrong passwords of Basic stay different from each other', () => {
  const [one, other] = ['a:\xe4', 'a:\xe5'].map((sent) => sharePasswordOf({ authorization: `Basic ${btoa(sent)}` }))
  expect(one).not.toBe(other)
})
