import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { startDaemon } from '../../../src/daemon.ts'
import { errorLike } from '../../helpers/unit/error-like.ts'
import { recordingLog } from '../../helpers/recording-log.ts'
import { testContext } from '../../helpers/test-context.ts'

/** A daemon with metrics on a free port, and functions to read them. */
async function openWorld(metrics = '127.0.0.1:0') {
  const log = recordingLog()
  const files = { 'a.txt': 'x'.repeat(10_000), 'secret.txt': 'hidden' }
  const context = await testContext({ options: { port: 0, metrics }, files, log })
  const token = await context.login('admin')
  const daemon = await startDaemon({ context })
  const url = /http\S+/.exec(log.lines.find(({ message }) => message.startsWith('metrics'))?.message ?? '')?.[0] ?? ''
  return {
    url,
    read: async () => await (await fetch(url)).text(),
    ask: async (path: string) => {
      const response = await fetch(`${daemon.urls[0]}${path}`, { headers: { 'x-auth': token } })
      await response.arrayBuffer()
      return response.status
    },
    [Symbol.asyncDispose]: async () => {
      await daemon[Symbol.asyncDispose]()
      await context[Symbol.asyncDispose]()
    },
  }
}

const valueOf = (text: string, series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  )

it('metrics count requests by operation and status, with their bytes and times', async () => {
  await using world = await openWorld()
  for (const path of ['api/raw/a.txt', 'api/raw/a.txt', 'api/raw/missing', 'health']) await world.ask(path)
  // The client has the answer a moment before the server counts it.
  await expect.poll(world.read).toContain('filemgr_http_requests_total{operation="server.health",status="200"} 1')
  const text = await world.read()
  expect(valueOf(text, 'filemgr_http_requests_total{operation="downloads.raw",status="200"}')).toBe(2)
  expect(valueOf(text, 'filemgr_http_requests_total{operation="downloads.raw",status="404"}')).toBe(1)
  expect(valueOf(text, 'filemgr_http_request_duration_seconds_count{operation="downloads.raw"}')).toBe(3)
  expect(valueOf(text, 'filemgr_http_sent_bytes_total')).toBeGreaterThan(20_000)
  expect(valueOf(text, 'filemgr_http_sent_bytes_total')).toBeLessThan(24_000)
  expect(valueOf(text, 'filemgr_http_received_bytes_total')).toBeGreaterThan(400)
  expect(valueOf(text, 'filemgr_sessions')).toBe(1)
  expect(valueOf(text, 'filemgr_jobs')).toBe(0)
  expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(valueOf(text, 'nodejs_eventloop_lag_max_seconds')).toBeGreaterThanOrEqual(0)
})

it('metrics keep the rules of the linter of Prometheus', async () => {
  await using world = await openWorld()
  await world.ask('api/raw/a.txt')
  const text = await world.read()
  const described = [...text.matchAll(/^# HELP (\S+) (.+)\n# TYPE (\S+) (counter|gauge|histogram)$/gm)]
  expect(described.length).toBe(text.split('# TYPE').length - 1)
  const names = described.map(([, name = '']) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const [, name = '', help, typed, type] of described) {
    expect(typed).toBe(name)
    expect(help).toMatch(/^[A-Z0-9].*\.$/)
    expect(name, 'counters, and no others, are totals').toMatch(type === 'counter' ? /_total$/ : /^(?!.*_total$)/)
    expect(name, 'base units, written out').not.toMatch(
      /_(ms|milliseconds|kb|mb|kilobytes|megabytes|percent|min|sec)(_|$)/,
    )
    expect(name, 'no suffix of histograms').not.toMatch(/_(bucket|sum|count)$/)
  }
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  for (const line of series)
    expect(line).toMatch(/^[a-z_]+(\{([a-z_]+="([^"\\\n]|\\[\\"n])*",?)+\})? (\d[\d.e+-]*|\+Inf)$/)
  expect(new Set(series.map((line) => line.split(' ')[0])).size).toBe(series.length)
})

it('metrics contain no file names, and are served at no other address', async () => {
  await using world = await openWorld()
  await world.ask('api/raw/secret.txt')
  expect(await world.read()).not.toContain('secret')
  expect(await world.ask('api/metrics')).toBe(404)
  expect((await fetch(new URL('/api/users', world.url))).status).toBe(404)
  expect((await fetch(world.url, { method: 'POST' })).status).toBe(404)
})

it('a start is refused if the address of the metrics is not available', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  await expect(openWorld(`127.0.0.1:${port}`)).rejects.toThrow(errorLike('INVALID_INPUT'))
  other.close()
})

it('the documentation lists all metrics, with their types and labels', async () => {
  await using world = await openWorld()
  await world.ask('api/raw/a.txt')
  const text = await world.read()
  const documented = await readFile(join(import.meta.dirname, '../../../docs/guide/operations.md'), 'utf8')
  const rows = [...documented.matchAll(/^\| `((?:filemgr|process|nodejs)_\w+)` .*$/gm)].map(([row]) =>
    row.replaceAll(/\s+/g, ' '),
  )
  const served = [...text.matchAll(/^# HELP (\S+) (.+)\n# TYPE \S+ (\S+)$/gm)]
  const described = served.map(([, name = '', help = '', type = '']) => {
    const labels =
      rows
        .find((row) => row.startsWith(`| \`${name}\` `))
        ?.split('|')[3]
        ?.trim() ?? ''
    return `| \`${name}\` | ${type} | ${labels} | ${help} |`.replaceAll(/\s+/g, ' ')
  })
  expect(rows.toSorted()).toEqual(described.toSorted())
  // Of the metrics that have values here.
  for (const [, name = ''] of served) {
    const labels = new RegExp(`^${name}(?:_count)?{(.+)} `, 'm').exec(text)?.[1]
    const names = [...(labels ?? '').matchAll(/(\w+)=/g)].map(([, label]) => `\`${label}\``).join(', ')
    const row = rows.find((each) => each.startsWith(`| \`${name}\` `))
    if (labels !== undefined) expect(row?.split('|')[3]?.trim()).toBe(names)
  }
})
