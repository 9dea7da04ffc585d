import { expect, it } from 'vitest'
import { formatByName, readableFormat } from '../../../../src/domain/files/archive-format.ts'
import { pathInArchive } from '../../../../src/domain/files/archives.ts'

it.each([
  ['a.txt', '/a.txt'],
  ['./a//b/', '/a/b'],
  ['./', '/'],
  ['a: b/c', '/a: b/c'],
  ['..a/b..', '/..a/b..'],
])('reads the name %j as the path %s', (name, path) => {
  expect(pathInArchive(name)).toBe(path)
})

it.each([
  ...['../a', 'a/../../b', '..', '/etc/passwd', 'C:/a', 'c:/a/b'],
  ...['a\0b', 'a\nb', 'a\u007f', '\u0085', '\ud800', 'x'.repeat(256), 'é'.repeat(128), 'a/'.repeat(3000)],
])('finds no safe path in the name %.20j', (name) => {
  expect(pathInArchive(name)).toBeUndefined()
})

it('recognises archives by their extensions, in any case', () => {
  expect(['a.ZIP', 'a.tar', 'a.tgz', 'a.tar.gz', 'a.tar.zst', 'a.tar.br'].map(readableFormat)).toEqual([
    ...['zip', 'tar', 'targz', 'targz', 'tarzst', 'tarbr'],
  ])
  expect(['a.tar.xz', 'a.gz', 'zip', 'a.zip.txt'].map(readableFormat)).toEqual(Array(4).fill(undefined))
  expect(formatByName('a.tar.xz')).toBe('tarxz')
})
