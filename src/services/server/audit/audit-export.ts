import type { AuditEntry } from '../../../domain/server/audit.ts'
import { type AuditTarget, parseAuditTarget } from '../../../domain/server/audit-target.ts'
import { counted } from '../../../domain/text/units.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { RotatingFile } from '../../../platform/logging/rotating-file.ts'
import { connectLogger, connectTcp, connectUdp, connectUnix } from '../../../platform/network/connections.ts'
import { type Connection, Outbox } from '../../../platform/network/outbox.ts'
import { boundedJson, MAX_DATAGRAM, priorityOf, syslogMessage } from './syslog.ts'

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
        const isForDatagrams = (error as NodeJS.ErrnoException).code === 'EPROTOTYPE'
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
