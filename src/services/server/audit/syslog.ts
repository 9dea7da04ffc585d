import { hostname } from 'node:os'
import type { AuditEntry } from '../../../domain/server/audit.ts'

/** "authpriv": what system administrators keep from others. */
const FACILITY = 10
const SEVERITY = { done: 6, refused: 4, failed: 3 } as const

/** Bytes of one datagram: more does not reach many receivers. */
export const MAX_DATAGRAM = 8192

export function priorityOf({ outcome }: Pick<AuditEntry, 'outcome'>): string {
  return `<${FACILITY * 8 + SEVERITY[outcome]}>`
}

/** An entry as a message of RFC 5424, whose text is the entry in JSON. */
export function syslogMessage(entry: AuditEntry, maxLength = Infinity): string {
  const head = `${priorityOf(entry)}1 ${entry.time} ${field(hostname(), 255)} filemgr ${process.pid} ${field(entry.action, 32)} - `
  return head + boundedJson(entry, maxLength - head.length)
}

/** In ASCII: other text would need a byte order mark, which programs that read the JSON stumble over. */
export function boundedJson(entry: AuditEntry, maxLength: number): string {
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
