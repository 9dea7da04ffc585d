import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile, rename } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../../../../src/domain/server/audit.ts'
import {
  createAuditExport,
  MAX_DATAGRAM,
  syslogMessage,
} from '../../../../../src/services/server/audit/audit-export.ts'
import { movableClock } from '../../../../helpers/movable-clock.ts'
import { recordingLog } from '../../../../helpers/recording-log.ts'
import { tempFolder } from '../../../../helpers/temp-folder.ts'

const entry = (target: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  time: '2026-11-29T12:00:00.000Z',
  who: 'bob',
  action: 'files.remove',
  target,
  outcome: 'done',
  ...more,
})

function exportTo(target: string) {
  const log = recordingLog()
  return { log, copies: createAuditExport({ targets: [target], clock: movableClock(), log }) }
}

/** What clients send to a server, which is closed at the end. */
async function receiver(listen: (server: Server) => void) {
  let received = ''
  const server = createServer(
    (socket) => void socket.setEncoding('utf8').on('data', (part: string) => (received += part)),
  )
  listen(server)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    [Symbol.asyncDispose]: async () => await new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

/** A message of RFC 5424, with JSON in ASCII. */
const MESSAGE = /^<(\d+)>1 (\S+) (\S+) filemgr (\d+) (\S+) - (\{[\x20-\x7e]*\})$/

describe('copies of the activity log', () => {
  it('reach a syslog server by UDP, as messages of RFC 5424', async () => {
    const server = createSocket('udp4').bind(0, '127.0.0.1')
    await once(server, 'listening')
    const { copies } = exportTo(`syslog+udp://127.0.0.1:${server.address().port}`)
    const sent = entry('/é\u2028.txt', { outcome: 'refused' })
    copies.send(sent)
    const [data] = (await once(server, 'message')) as [Buffer]
    const [, priority, time, , pid, action, json = ''] = MESSAGE.exec(data.toString('latin1')) ?? []
    expect({ priority, time, pid, action }).toEqual({
      priority: '84',
      time: sent.time,
      pid: String(process.pid),
      action: 'files.remove',
    })
    expect(JSON.parse(json)).toEqual(sent)
    await copies[Symbol.asyncDispose]()
    server.close()
  })

  it('reach a syslog server by TCP, each with its length', async () => {
    await using server = await receiver((each) => each.listen(0, '127.0.0.1'))
    const { copies } = exportTo(`syslog+tcp://127.0.0.1:${server.port}`)
    for (const target of ['/a', '/é', '/c']) copies.send(entry(target))
    await copies[Symbol.asyncDispose]()
    await expect.poll(server.received).toContain('"/c"')
    let rest = server.received()
    const found: unknown[] = []
    while (rest !== '') {
      const [counted = '', length = ''] = /^(\d+) /.exec(rest) ?? []
      const end = counted.length + Number(length)
      found.push((JSON.parse(MESSAGE.exec(rest.slice(counted.length, end))?.[6] ?? '') as AuditEntry).target)
      rest = rest.slice(end)
    }
    expect(found).toEqual(['/a', '/é', '/c'])
  })

  it('reach a program by TCP or a socket as JSON lines', async () => {
    await using folder = await tempFolder()
    await using tcp = await receiver((each) => each.listen(0, '127.0.0.1'))
    await using unix = await receiver((each) => each.listen(folder.at('socket')))
    const targets = [`json+tcp://127.0.0.1:${tcp.port}`, `json+unix:${folder.at('socket')}`]
    const copies = createAuditExport({ targets, clock: movableClock(), log: recordingLog() })
    for (const target of ['/a', '/b']) copies.send(entry(target))
    await copies[Symbol.asyncDispose]()
    const lines = ['/a', '/b'].map((target) => `${JSON.stringify(entry(target))}\n`).join('')
    await expect.poll(tcp.received).toBe(lines)
    await expect.poll(unix.received).toBe(lines)
  })

  it('go on in a new file after another program has moved the file, at once after SIGHUP', async () => {
    await using folder = await tempFolder()
    const path = folder.at('copy.log')
    const { copies } = exportTo(path)
    copies.send(entry('/a'))
    await rename(path, `${path}.1`)
    await expect
      .poll(async () => {
        copies.send(entry('/b'))
        return await readFile(path, 'utf8').catch(() => '')
      })
      .toContain('/b')
    await rename(path, `${path}.2`)
    copies.reopen()
    copies.send(entry('/c'))
    expect(await readFile(path, 'utf8')).toBe(`${JSON.stringify(entry('/c'))}\n`)
    await copies[Symbol.asyncDispose]()
  })

  it('wait for a receiver that is away, up to a bound, and say how many are missing', async () => {
    await using folder = await tempFolder()
    const { copies, log } = exportTo(`json+unix:${folder.at('socket')}`)
    for (let index = 0; index < 10_007; index += 1) copies.send(entry(`/${index}`))
    await expect.poll(() => log.lines.length).toBe(1)
    await using server = await receiver((each) => each.listen(folder.at('socket')))
    await expect.poll(server.received).toContain('"/9999"')
    const found = server
      .received()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry)
    expect(found[0]).toMatchObject({ action: 'audit.export', outcome: 'failed', more: 7 })
    expect(found.slice(1).map(({ target }) => target)).toEqual(
      Array.from({ length: 10_000 }, (_, index) => `/${index}`),
    )
    expect(log.lines.map(({ message }) => message)).toEqual([
      expect.stringContaining('does not take'),
      expect.stringContaining('not sent: 7 lines'),
    ])
    await copies[Symbol.asyncDispose]()
  })

  it('do not hold up the end of a process, which says what was not sent', async () => {
    await using folder = await tempFolder()
    const { copies, log } = exportTo(`json+unix:${folder.at('missing')}`)
    copies.send(entry('/a'))
    await copies[Symbol.asyncDispose]()
    expect(log.lines.at(-1)?.message).toContain('1 line of the activity log')
  })

  it('of an entry with many names have no list of them where it does not fit', () => {
    const names = Array.from({ length: 100 }, () => ({ from: 'ä'.repeat(100), to: 'b' }))
    const message = syslogMessage(entry('/a', { names, more: 5 }), MAX_DATAGRAM)
    expect(JSON.parse(MESSAGE.exec(message)?.[6] ?? '')).toEqual(entry('/a', { more: 105 }))
    const paths = entry('\u{1f600}'.repeat(500), { destination: '\u{1f600}'.repeat(500) })
    expect(syslogMessage(paths, MAX_DATAGRAM).length).toBeLessThanOrEqual(MAX_DATAGRAM)
  })

  it.each([
    'syslog://host',
    'json+tcp://host',
    'syslog+udp://host:99999',
    '/etc/passwd',
    'relative.log',
    'json+udp://h:1',
    'http://h',
  ])('cannot go to "%s"', (target) => {
    expect(() => exportTo(target)).toThrow('auditExport')
  })
})
