import { expect, it } from 'vitest'
import {
  formatByName,
  readableFormat,
  safeMemberName,
  tarFormatOf,
} from '../../../../src/domain/files/archives/archive-format.ts'
import { pathInArchive } from '../../../../src/domain/files/archives/archives.ts'

it.each([
  ['a.txt', '/a.txt'],
  ['./a//b/', '/a/b'],
  ['./', '/'],
  ['a: b/c', '/a: b/c'],
  ['..a/b..', '/..a/b..'],
  ['/etc/passwd', '/etc/passwd'],
  ['//server/share', '/server/share'],
  ['C:/a', '/a'],
  ['C:\\a', '/C:\\a'],
  ['a\0b\nc\u007f\u0085', '/a_b_c__'],
  ['prov\udcedncia', '/prov\udcedncia'],
])('reads the name %j as the path %s', (name, path) => {
  expect(pathInArchive(name)).toEqual({ path })
})

it.each([
  ...['../a', 'a/../../b', '..', '/../x', 'C:/../x'].map((name) => [name, 'outside']),
  // Two escaped bytes that are "é", which has a text of its own.
  ...['\ud800', '\udcc3\udca9', 'x'.repeat(256), 'é'.repeat(128), 'a/'.repeat(3000)].map((name) => [name, 'name']),
])('finds no safe path in the name %.20j', (name = '', reason) => {
  expect(pathInArchive(name)).toEqual({ reason })
})

it.each([
  ['12:30 a\\b.txt', '12:30 a\\b.txt', '12:30 a_b.txt'],
  ['bad\udcff', 'bad\udcff', 'bad\ufffd'],
  ['t\tab\u0085', 't_ab_', 't_ab_'],
  ['..\\..\\x', '.._.._x', '.._.._x'],
  ['C:\\x', 'C:_x', 'C:_x'],
  ['\\x', '_x', '_x'],
])('names %j as %j in a tar, and as %j in a zip', (name, inTar, inZip) => {
  expect([safeMemberName(name, 'tar'), safeMemberName(name, 'zip')]).toEqual([inTar, inZip])
})

it('knows how a tar is compressed by its first bytes', () => {
  const head = (text: string) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(300)])
  expect(tarFormatOf(head('\x1f\x8b'), 'tar')).toBe('targz')
  expect(tarFormatOf(head('\x28\xb5\x2f\xfd'), 'targz')).toBe('tarzst')
  expect(tarFormatOf(Buffer.concat([Buffer.alloc(257), head('ustar')]), 'targz')).toBe('tar')
  expect(tarFormatOf(head('anything'), 'tarbr')).toBe('tarbr')
  expect(tarFormatOf(Buffer.alloc(0), 'tar')).toBe('tar')
})

it('recognises archives by their extensions, in any case', () => {
  expect(['a.ZIP', 'a.tar', 'a.tgz', 'a.tar.gz', 'a.tar.zst', 'a.tar.br'].map(readableFormat)).toEqual([
    ...['zip', 'tar', 'targz', 'targz', 'tarzst', 'tarbr'],
  ])
  expect(['a.tar.xz', 'a.gz', 'zip', 'a.zip.txt'].map(readableFormat)).toEqual(Array(4).fill(undefined))
  expect(formatByName('a.tar.xz')).toBe('tarxz')
})
