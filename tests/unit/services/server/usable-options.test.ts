import { expect, it } from 'vitest'
import { baseOf, ServerOptions } from '../../../../src/domain/server/server-options.ts'
import { defaultsOf } from '../../../../src/domain/schema/schema-tools.ts'
import { requireUsableOptions } from '../../../../src/services/server/usable-options.ts'

const check = (options: Partial<ServerOptions>) => () =>
  requireUsableOptions({ ...defaultsOf(ServerOptions), ...options })

it.each([
  ['', ''],
  ['/', ''],
  ['//', ''],
  ['/fb', '/fb'],
  ['//fb', '/fb'],
  ['/fb//', '/fb'],
  ['/a//b/', '/a/b'],
  ['/My_files-2.0~x@y+z', '/My_files-2.0~x@y+z'],
])('the base path %j means %j', (baseURL, base) => {
  expect(check({ baseURL })).not.toThrow()
  expect(baseOf({ baseURL })).toBe(base)
})

it.each([
  '/.',
  '/a/../b',
  '/./a',
  '/a/..',
  '/é',
  '/a%20b',
  '/a\\b',
  '/:id',
  '/*',
  '/(a)',
  '/{a}',
  '/a;b',
  '/a"b',
  '/a\u0000',
])('refuses the base path %j, which no request would be beneath', (baseURL) => {
  expect(check({ baseURL })).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'baseURL' } }) as Error,
  )
})

it('compares the path of the public address without doubled slashes', () => {
  expect(check({ baseURL: '//fb', publicUrl: 'https://files.example.org/fb//' })).not.toThrow()
  expect(check({ baseURL: '/fb', publicUrl: 'https://files.example.org/other' })).toThrow('both must be the same')
})
