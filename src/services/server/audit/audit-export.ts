import type { AuditEntry } from '../../../domain/server/audit.ts'
import { type AuditTarget, parseAuditTarget } from '../../../domain/server/audit-target.ts'
import { counted } from '../../../domain/text/units.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { RotatingFile } from '../../../platform/logging/rotating-file.ts'
import { connectLogger, connectTcp, connectUdp, connectUnix } from '../../../platform/network/connections.ts'
import { type Connection, Outbox } from '../../../platform/network/outbox.ts'
import { hostname } from 'node:os'
import { isErrno } from '../../../platform/files/error-code.ts'

export interface AuditExportDeps {
  /** As in the server option `auditExport`. */
  readonly targets: readonly string[]
  readonly clock: Clock
  readonly log: Logger
}

/** Sends entries of the activity log elsewhere. Nobody waits for it, and nothing fails because of it. */
export interface AuditExport extends AsyncDisposable {
  send(entry: AuditEntry): void
  /** Opens files again, after logrotate has moved them away. */
  reopen(): void
}

/** @throws INVALID_INPUT */
export function createAuditExport(deps: AuditExportDeps): AuditExport {
  const targets = deps.targets.map((text) => {
    const target = parseAuditTarget(text)
    return target.kind === 'file' ? toFile(target.path, deps) : toReceiver(text, target, deps)
  })
  return {
    send: (entry) => targets.forEach((target) => target.send(entry)),
    reopen: () => targets.forEach((target) => target.reopen()),
    async [Symbol.asyncDispose]() {
      await Promise.all(targets.map(async (target) => await target[Symbol.asyncDispose]()))
    },
  }
}

function toFile(path: string, { clock, log }: AuditExportDeps): AuditExport {
  const lostLine = (lost: number) => `${JSON.stringify(lostEntry(lost, path, clock))}\n`
  const file = new RotatingFile({ path, lostLine, followsMoves: true })
  let isLost = false
  return {
    send(entry) {
      try {
        file.write(`${JSON.stringify(entry)}\n`)
        if (isLost) log.warn(`${path} takes the activity log again`)
        isLost = false
      } catch (error) {
        if (!isLost)
          log.error(
            { err: error },
            `the activity log cannot be written to ${path}; entries are lost there until it can`,
          )
        isLost = true
      }
    },
    reopen: () => file.reopen(),
    [Symbol.asyncDispose]: async () => file[Symbol.dispose](),
  }
}

function toReceiver(
  name: string,
  target: Exclude<AuditTarget, { kind: 'file' }>,
  { clock, log }: AuditExportDeps,
): AuditExport {
  const outbox = new Outbox<AuditEntry>({
    open: async () => await connectionTo(target),
    lostMessage: (lost) => lostEntry(lost, name, clock),
    onDown: (err) => log.error({ err }, `${name} does not take the activity log; up to 10,000 lines wait for it`),
    onUp: (lost) => log.warn({ lost }, `${name} takes the activity log again; not sent: ${counted(lost, 'line')}`),
  })
  return {
    send: (entry) => outbox.push(entry, JSON.stringify(entry).length),
    reopen: () => undefined,
    async [Symbol.asyncDispose]() {
      const lost = await outbox.end()
      if (lost > 0) log.error({ lost }, `not sent to ${name}: ${counted(lost, 'line')} of the activity log`)
    },
  }
}

type Encode = (entry: AuditEntry) => string

async function connectionTo(target: Exclude<AuditTarget, { kind: 'file' }>): Promise<Connection<AuditEntry>> {
  const line: Encode = (entry) => `${target.format === 'json' ? JSON.stringify(entry) : syslogMessage(entry)}\n`
  switch (target.kind) {
    case 'udp':
      return encoding(await connectUdp(target.host, target.port), (entry) => syslogMessage(entry, MAX_DATAGRAM))
    case 'tcp':
      return encoding(await connectTcp(target.host, target.port), target.format === 'json' ? line : withOctetCount)
    case 'unix':
      try {
        return encoding(await connectUnix(target.path), line)
      } catch (error) {
        const isForDatagrams = isErrno(error, 'EPROTOTYPE')
        if (!isForDatagrams || target.format === 'json') throw error
        return encoding(await connectLogger(target.path, { name: 'filemgr', maxLength: MAX_DATAGRAM }), lineForLogger)
      }
  }
}

function encoding(connection: Connection<Buffer>, encode: Encode): Connection<AuditEntry> {
  return {
    get isBroken() {
      return connection.isBroken
    },
    send: async (entry) => await connection.send(Buffer.from(encode(entry))),
    close: async () => await connection.close(),
  }
}

/** The framing of RFC 6587. */
function withOctetCount(entry: AuditEntry): string {
  const message = syslogMessage(entry)
  return `${message.length} ${message}`
}

/** The program writes the rest of the header by itself. */
function lineForLogger(entry: AuditEntry): string {
  return `${priorityOf(entry)}${boundedJson(entry, MAX_DATAGRAM - LOGGER_HEADER)}\n`
}

/** Bytes that the header may take. */
const LOGGER_HEADER = 512

/** Says in the exported log that entries are missing there. */
function lostEntry(lost: number, target: string, clock: Clock): AuditEntry {
  const time = new Date(clock.now()).toISOString()
  return { time, who: '', action: 'audit.export', target, outcome: 'failed', more: lost }
}

/** "authpriv": what system administrators keep from others. */
const FACILITY = 10
const SEVERITY = { done: 6, refused: 4, failed: 3 } as const

/** Bytes of one datagram: more does not reach many receivers. */
export const MAX_DATAGRAM = 8192

function priorityOf({ outcome }: Pick<AuditEntry, 'outcome'>): string {
  return `<${FACILITY * 8 + SEVERITY[outcome]}>`
}

/** An entry as a message of RFC 5424, whose text is the entry in JSON. */
export function syslogMessage(entry: AuditEntry, maxLength = Infinity): string {
  const head = `${priorityOf(entry)}1 ${entry.time} ${field(hostname(), 255)} filemgr ${process.pid} ${field(entry.action, 32)} - `
  return head + boundedJson(entry, maxLength - head.length)
}

/** In ASCII: other text would need a byte order mark, which programs that read the JSON stumble over. */
function boundedJson(entry: AuditEntry, maxLength: number): string {
  const text = asciiJson(entry)
  if (text.length <= maxLength) return text
  const { names = [], changes = [], more = 0, ...rest } = entry
  const short = asciiJson({ ...rest, more: more + names.length + changes.length })
  return short.length <= maxLength ? short : asciiJson(withoutPaths(rest))
}

/** With the longest names, even the paths of an entry do not fit. */
function withoutPaths({ target: _target, destination: _destination, ...rest }: AuditEntry): AuditEntry {
  return rest
}

function asciiJson(value: AuditEntry): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A field of the header: printable ASCII without spaces; "-" for none. */
function field(text: string, maxLength: number): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, maxLength) || '-'
}
