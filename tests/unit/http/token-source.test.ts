import type { IncomingHttpHeaders } from 'node:http'
import { expect, it } from 'vitest'
import { tokenOf } from '../../../src/http/protocol/caller.ts'

const ask = (method: string, headers: IncomingHttpHeaders, auth?: string) =>
  tokenOf({ method, headers, cookies: { auth } })

it('takes the header for every method', () => {
  expect(ask('POST', { 'x-auth': 'a.b.c' })).toBe('a.b.c')
})

it('lets a header of three parts win over the cookie, whatever it is worth', () => {
  expect(ask('GET', { 'x-auth': 'a.b.c' }, 'd.e.f')).toBe('a.b.c')
})

it.each(['', 'nodots', 'a.b', 'a.b.c.d'])('falls through a header like %j to the cookie', (header) => {
  expect(ask('GET', { 'x-auth': header }, 'd.e.f')).toBe('d.e.f')
})

it.each(['GET', 'HEAD'])('takes the cookie for %s', (method) => {
  expect(ask(method, {}, 'd.e.f')).toBe('d.e.f')
})

it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('GHSA-72wf-hwcq-65h9: ignores the cookie for %s', (method) => {
  expect(ask(method, {}, 'd.e.f')).toBeUndefined()
})

it('ignores the cookie when another site embeds or fetches', () => {
  expect(ask('GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 'd.e.f')).toBeUndefined()
})

it('takes the cookie when another site links here', () => {
  expect(ask('GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 'd.e.f')).toBe('d.e.f')
})

it('does not read Authorization', () => {
  expect(ask('GET', { authorization: 'Bearer a.b.c' })).toBeUndefined()
})
