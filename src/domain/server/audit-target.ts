import { fail } from '../errors.ts'

/** Where entries of the activity log are sent. */
export type AuditTarget =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'udp' | 'tcp'; readonly format: AuditFormat; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly format: AuditFormat; readonly path: string }

type AuditFormat = 'syslog' | 'json'

/** A file has one of these endings, so that nobody appends to others by mistake, or on purpose. */
const TARGET =
  /^(\/.+\.(log|jsonl)|(syslog|json)\+unix:\/.+|(syslog\+(udp|tcp)|json\+tcp):\/\/(\[[\dA-Fa-f:.]+\]|[\w.-]+)(:\d{1,5})?)$/

const NETWORK = /^(syslog|json)\+(udp|tcp):\/\/(.+?)(?::(\d+))?$/
const SOCKET = /^(syslog|json)\+unix:(\/.+)$/

/** The ports that are registered for syslog. */
const PORTS = { udp: 514, tcp: 601 } as const

/** The files among the targets. */
export function auditFilesIn(targets: readonly string[]): string[] {
  return targets.filter((target) => target.startsWith('/'))
}

/** @throws INVALID_INPUT */
export function parseAuditTarget(text: string): AuditTarget {
  const refuse = (problem: string) =>
    fail('INVALID_INPUT', `auditExport: "${text}" ${problem}`, { field: 'auditExport' })
  if (!TARGET.test(text))
    return refuse(
      'is none of /file.log, syslog+udp://host:514, syslog+tcp://host:601, syslog+unix:/dev/log, json+tcp://host:port, json+unix:/socket',
    )
  if (text.startsWith('/')) return { kind: 'file', path: text }
  const [, socketFormat, path] = SOCKET.exec(text) ?? []
  if (path !== undefined) return { kind: 'unix', format: socketFormat as AuditFormat, path }
  const [, format, kind, host = '', given] = NETWORK.exec(text) ?? []
  if (format === 'json' && given === undefined) return refuse('needs a port')
  const port = given === undefined ? PORTS[kind as 'udp'] : Number(given)
  if (port < 1 || port > 65_535) return refuse('has a port that is not between 1 and 65535')
  return { kind: kind as 'udp', format: format as AuditFormat, host: host.replaceAll(/[[\]]/g, ''), port }
}
