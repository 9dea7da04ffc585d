import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Resource } from '../../../src/domain/files/resource.ts'
import { isTimeHeld, parseSeconds, timeOfMilliseconds } from '../../../src/domain/files/file-time.ts'
import { settableTime } from '../../../src/storage/local/system/file-times.ts'
import { testApp } from '../../helpers/api/test-app.ts'

const ALL = { create: true, modify: true, rename: true, delete: true, download: true } as const

/** In seconds since 1970 and as they are listed; all within what ext4 holds. */
const TIMES: readonly [string, string][] = [
  ['-2000000000', '1906-08-16T20:26:40Z'],
  ['-114912000.5', '1966-05-11T23:59:59.5Z'],
  ['-1', '1969-12-31T23:59:59Z'],
  ['0', '1970-01-01T00:00:00Z'],
  ['2208988800', '2040-01-01T00:00:00Z'],
  ['9300000000', '2264-09-14T21:20:00Z'],
  ['13569465600', '2400-01-01T00:00:00Z'],
]

// Disks hold only some times, unlike memory.
beforeEach(() => void vi.stubEnv('TMPDIR', '/var/tmp'))

const timeOf = (file: string): bigint => statSync(file, { bigint: true }).mtimeNs
const wanted = (seconds: string): bigint => settableTime(parseSeconds(seconds) ?? 0n)

describe.each(TIMES)('the time %s', (seconds, listed) => {
  it('is kept by every kind of upload, and shown in listings and headers', async () => {
    await using server = await testApp({ files: { 'saved.txt': 'old' } })
    const ann = await server.user('ann', ALL)
    const oc = { 'x-oc-mtime': seconds }
    const posted = await ann.ask('POST', '/api/resources/posted.txt', { payload: 'x', headers: oc })
    const saved = await ann.ask('PUT', '/api/resources/saved.txt', { payload: 'x', headers: oc })
    const metadata = { 'upload-length': '1', 'upload-metadata': `mtime ${btoa(seconds)}` }
    await ann.ask('POST', '/api/tus/sent.txt', { headers: metadata })
    const part = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const sent = await ann.ask('PATCH', '/api/tus/sent.txt', { headers: part, payload: 'x' })
    const form = new FormData()
    form.append('path', 'grouped.txt')
    form.append('modified', seconds)
    form.append('file', new Blob(['x']), 'blob')
    const { headers, body } = new Response(form)
    await ann.ask('POST', '/api/upload/', {
      headers: { 'content-type': headers.get('content-type') ?? '' },
      payload: Buffer.from(await new Response(body).arrayBuffer()),
    })
    for (const answer of [posted, saved, sent]) expect(answer.headers['x-oc-mtime']).toBe('accepted')
    const { items } = (await ann.ask('GET', '/api/resources/')).json<{ items: Resource[] }>()
    expect(items.map(({ name, modified }) => [name, modified])).toEqual(
      ['grouped.txt', 'posted.txt', 'saved.txt', 'sent.txt'].map((name) => [name, listed]),
    )
    for (const { name } of items) {
      expect(timeOf(join(server.root, name))).toBe(wanted(seconds))
      const one = await ann.ask('GET', `/api/resources/${name}`)
      expect(one.json<Resource>().modified).toBe(listed)
      const raw = await ann.ask('GET', `/api/raw/${name}`)
      const date = raw.headers['last-modified'] ?? ''
      expect(Date.parse(date)).toBe(Math.floor(Date.parse(listed) / 1000) * 1000)
      const since = { 'if-modified-since': date }
      expect((await ann.ask('GET', `/api/raw/${name}`, { headers: since })).statusCode).toBe(304)
    }
  })

  it.each(['zip', 'tar', 'tar.gz'])('passes through a %s of ours', async (extension) => {
    await using server = await testApp({ files: { 'from/a.txt': 'x' } })
    const ann = await server.user('ann', ALL)
    execFileSync('touch', ['-d', `@${seconds}`, join(server.root, 'from/a.txt')])
    execFileSync('touch', ['-d', `@${seconds}`, join(server.root, 'from')])
    const payload = JSON.stringify({ names: ['from'], destination: `/a.${extension}` })
    expect((await ann.ask('POST', '/api/compress/', { payload })).statusCode).toBe(200)
    const inside = await ann.ask('GET', `/api/archives/a.${extension}?inside=/from`)
    // Only the field for times outside of 32 bits has fractions.
    const whole = extension === 'zip'
    const expected = whole ? listed.replace(/\.5/, '') : listed
    expect(inside.json<{ items: Resource[] }>().items[0]?.modified).toBe(expected)
    await mkdir(join(server.root, 'out'))
    await ann.ask('POST', `/api/extract/a.${extension}`, { payload: JSON.stringify({ destination: '/out' }) })
    for (const name of ['out/from', 'out/from/a.txt'])
      expect([name, timeOf(join(server.root, name))]).toEqual([
        name,
        settableTime(timeOfMilliseconds(Date.parse(expected))),
      ])
    if (extension !== 'tar') return
    await mkdir(join(server.root, 'by-tar'))
    execFileSync('tar', ['-xf', join(server.root, 'a.tar'), '-C', join(server.root, 'by-tar')])
    expect(timeOf(join(server.root, 'by-tar/from/a.txt'))).toBe(parseSeconds(seconds))
  })

  it.each(['gnu', 'posix'])('is extracted from a tar of the format %s', async (format) => {
    await using server = await testApp({ files: { 'a.txt': 'x' } })
    const ann = await server.user('ann', ALL)
    execFileSync('touch', ['-d', `@${seconds}`, join(server.root, 'a.txt')])
    execFileSync('tar', [`--format=${format}`, '-cf', join(server.root, 'a.tar'), '-C', server.root, 'a.txt'])
    await mkdir(join(server.root, 'out'))
    await ann.ask('POST', '/api/extract/a.tar', { payload: JSON.stringify({ destination: '/out' }) })
    const time = timeOf(join(server.root, 'out/a.txt'))
    if (format === 'posix') expect(time).toBe(wanted(seconds))
    else expect(isTimeHeld(wanted(seconds), time)).toBe(true)
  })
})

it('keeps nanoseconds in our tars', async () => {
  await using server = await testApp({ files: { 'from/a.txt': 'x' } })
  const ann = await server.user('ann', ALL)
  execFileSync('touch', ['-d', '2001-09-09T01:46:40.000000001Z', join(server.root, 'from/a.txt')])
  await ann.ask('POST', '/api/compress/', { payload: JSON.stringify({ names: ['from'], destination: '/a.tar' }) })
  await mkdir(join(server.root, 'out'))
  execFileSync('tar', ['-xf', join(server.root, 'a.tar'), '-C', join(server.root, 'out')])
  expect(timeOf(join(server.root, 'out/from/a.txt'))).toBe(1_000_000_000_000_000_001n)
})

it.each(['253402300800', '-62167219201', '1700000000000'])('refuses the time %s, which is no date', async (seconds) => {
  await using server = await testApp()
  const ann = await server.user('ann', ALL)
  const answer = await ann.ask('POST', '/api/resources/a', { payload: 'x', headers: { 'x-oc-mtime': seconds } })
  expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('years 0 to 9999')])
})

it('does not confirm a time that no client could mean', async () => {
  await using server = await testApp()
  const ann = await server.user('ann', ALL)
  await ann.ask('POST', '/api/tus/a', { headers: { 'upload-length': '1', 'upload-metadata': `mtime ${btoa('soon')}` } })
  const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  const sent = await ann.ask('PATCH', '/api/tus/a', { headers, payload: 'x' })
  expect([sent.statusCode, sent.headers['x-oc-mtime']]).toEqual([204, undefined])
})
