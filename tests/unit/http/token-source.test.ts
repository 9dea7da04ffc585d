import type { IncomingHttpHeaders } from 'node:http'
import { expect, it } from 'vitest'
import { apiTokenOf, tokenOf } from '../../../src/http/protocol/caller.ts'

const ask = (method: string, headers: IncomingHttpHeaders, auth?: string) =>
  tokenOf({ method, headers, cookies: { auth } })

it('takes the header for every method', () => {
  expect(ask('POST', { 'x-auth': 'a.b.c' })).toBe('a.b.c')
})

it('prefers a header of three parts to the cookie, valid or not', () => {
  expect(ask('GET', { 'x-auth': 'a.b.c' }, 'd.e.f')).toBe('a.b.c')
})

it.each(['', 'nodots', 'a.b', 'a.b.c.d'])('skips a header like %j and takes the cookie', (header) => {
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

it('takes no session from Authorization', () => {
  expect(ask('GET', { authorization: 'Bearer a.b.c' })).toBeUndefined()
})

const TOKEN = 'fmgr_abc'
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

it.each([
  [{ 'x-auth': TOKEN }, { secret: TOKEN }],
  [{ authorization: `Bearer ${TOKEN}` }, { secret: TOKEN }],
  [{ authorization: `bearer  ${TOKEN} ` }, { secret: TOKEN }],
  [{ authorization: basic(`ann:${TOKEN}`) }, { secret: TOKEN, username: 'ann' }],
  [
    { authorization: basic(`ann:${TOKEN}`), 'sec-fetch-site': 'same-origin' },
    { secret: TOKEN, username: 'ann' },
  ],
  [{ authorization: basic(`ann:${TOKEN}`), 'sec-fetch-site': 'cross-site' }, undefined],
  [{ authorization: basic('ann:password') }, undefined],
  [{ authorization: 'Bearer a.b.c' }, undefined],
  [{ authorization: `Digest ${TOKEN}` }, undefined],
  [{ 'x-auth': 'a.b.c', authorization: `Bearer ${TOKEN}` }, undefined],
  [{}, undefined],
])('finds the API token of %j', (headers: IncomingHttpHeaders, found) => {
  expect(apiTokenOf({ headers })).toEqual(found)
})
