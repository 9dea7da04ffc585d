import { Option } from 'commander'
import type { AuditEntry, AuditQuery } from '../../../domain/server/audit.ts'
import { matchesAudit, readAuditLine, auditDetails } from '../../../domain/server/audit-text.ts'
import { fail } from '../../../domain/errors.ts'
import { printable } from '../../../domain/text/printable.ts'
import { command, type Invocation } from '../../program/command.ts'
import { isErrno } from '../../../platform/files/error-code.ts'
import { dataFolder } from '../../data-folder.ts'
import { openDoor, type Door } from '../../door/door.ts'
import { openCommandContext } from '../../command-context.ts'
import { timeFrom } from '../../time-text.ts'
import { listAudit } from '../../../api/server/audit.ts'
import { listNodes } from '../../../api/server/operator.ts'

const DEFAULT_LINES = 20
/** Entries that are asked for at once. */
const PAGE = 500

export const logs = command({
  name: 'logs',
  summary: 'Show the newest lines of the log or the activity log',
  operations: ['audit.list', 'audit.export'],
  options: [
    new Option('--audit', 'show the activity log: who did what, and when'),
    new Option('--all', 'with --audit: of all daemons that share the database, also of those that are gone'),
    new Option('-f, --follow', 'keep printing new lines until interrupted'),
    new Option(
      '-n, --lines <number>',
      `number of lines (default: ${DEFAULT_LINES}, or all lines after --since)`,
    ).argParser(parseLines),
    new Option('--since <time>', 'with --audit: only entries after this time, such as 2h or 2026-11-24T08:00'),
    new Option('--until <time>', 'with --audit: only entries before this time'),
    new Option('--user <name>', 'with --audit: only actions of this user, and attempts to sign in under this name'),
    new Option('--action <id>', 'with --audit: only this operation, or all with this prefix, such as "users."'),
    new Option('--target <text>', 'with --audit: only entries whose path, account or key contains this text'),
    new Option('--outcome <how>', 'with --audit: only entries with this result').choices(['done', 'refused', 'failed']),
  ],
  examples: [
    ['logs --follow', 'the log of the daemon, if it is written to a file'],
    ['logs --audit --since 24h', 'what happened in the last day'],
    ['logs --audit --target /docs --outcome refused', 'requests that were refused below /docs'],
    ['logs --audit --user bob --since 2026-11-01 --until 2026-12-01', 'what bob did in November'],
    ['logs --audit --all --since 24h', 'the same for all machines, in order of time'],
    ['logs --audit --lines 100 --json', 'the last hundred entries as JSON lines'],
  ],
  async run(invocation) {
    const { values, output, terminal, globals } = invocation
    const query = auditQuery(invocation)
    const isAudit = values['audit'] === true
    const given = values['lines'] ?? (query.after === undefined ? DEFAULT_LINES : Infinity)
    if (values['all'] === true) {
      await showAll(invocation, query, Number(given))
      return
    }
    const path = isAudit ? await auditFile(invocation) : await logFile(invocation)
    const { rotatedLinesBackward, appendedTo, endOf } = await import('../../../platform/logging/rotating-file.ts')
    const end = await endOf(path)
    const limit = Number(given)
    const found: string[] = []
    for await (const line of rotatedLinesBackward(path, end?.size)) {
      if (found.length >= limit || (isAudit && isOlder(line, query.after))) break
      if (!isAudit || fits(line, query)) found.push(line)
    }
    const newest = found.toReversed()
    const asText = isAudit && !globals.json ? readableEntry : (line: string) => line
    if (values['follow'] !== true) {
      if (newest.length > 0) output.line(newest.map(asText).join('\n'))
      return
    }
    newest.forEach((line) => output.line(asText(line)))
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    terminal.stdout.once('error', () => stop.abort())
    for await (const line of linesIn(appendedTo(path, end, stop.signal))) {
      if (!isAudit || fits(line, query)) output.line(asText(line.trimEnd()))
    }
  },
})

/** @throws INVALID_INPUT with --follow; STORE_BUSY */
async function showAll(invocation: Invocation, query: AuditQuery, limit: number): Promise<void> {
  const { values, output, globals } = invocation
  if (values['follow'] === true)
    fail('INVALID_INPUT', '--all cannot follow: leave out --follow, or --all for this machine', { field: 'follow' })
  await using door = await openDoor(invocation)
  const lines = (await newestOfAll(door, query, limit)).map((entry) => JSON.stringify(entry))
  const silent = await silentDaemons(door)
  if (lines.length > 0) output.line(lines.map(globals.json ? (line) => line : readableEntry).join('\n'))
  if (silent !== undefined) output.warning(silent)
}

/** The newest entries of all daemons that share a store, oldest first; without a database, those of this machine. */
async function newestOfAll(door: Door, query: AuditQuery, limit: number): Promise<AuditEntry[]> {
  const newest: AuditEntry[] = []
  let before = query.before
  while (newest.length < limit) {
    const page = { ...query, limit: PAGE, ...(before !== undefined && { before }) }
    const { entries, next } = await door.call(listAudit, { query: page })
    newest.push(...entries)
    if (next === null) break
    before = next
  }
  return newest.slice(0, limit).toReversed()
}

/** A daemon that was killed, or that is cut off from the database, has its last entries only in its own file. */
async function silentDaemons(door: Door): Promise<string | undefined> {
  const silent = (await door.call(listNodes, {})).filter(({ isAlive }) => !isAlive)
  if (silent.length === 0) return undefined
  const places = silent.map(({ host, url, lost = '' }) => `${host} at ${url} (since ${lost})`)
  return `not heard of, so their last entries may be only in their own logs/audit.log: ${places.join(', ')}`
}

/** @throws INVALID_INPUT for a filter without --audit, or an invalid time */
function auditQuery({ values }: Invocation): AuditQuery {
  const { user, action, target, outcome, since, until, all } = values
  const given = Object.entries({ user, action, target, outcome, since, until, all }).filter(
    ([, value]) => value !== undefined,
  )
  const [first] = given
  if (first !== undefined && values['audit'] !== true) {
    fail('INVALID_INPUT', `--${first[0]} needs --audit`, { field: first[0] })
  }
  return {
    ...(Object.fromEntries(given.filter(([name]) => !['since', 'until', 'all'].includes(name))) as AuditQuery),
    ...(typeof since === 'string' && { after: timeFrom(since, '--since', -1) }),
    ...(typeof until === 'string' && { before: timeFrom(until, '--until', -1) }),
  }
}

function fits(line: string, query: AuditQuery): boolean {
  const entry = readAuditLine(line)
  return entry !== undefined && matchesAudit(entry, query)
}

function isOlder(line: string, after: string | undefined): boolean {
  return after !== undefined && (readAuditLine(line)?.time ?? after) < after
}

/** For example "2026-11-24 08:00:12 web1:8080 bob (192.0.2.7) moved /a → /b", or "… files.transfer /a → /b refused", in local time. */
function readableEntry(line: string): string {
  const entry = readAuditLine(line)
  if (entry === undefined) return printable(line)
  const { who, address, action, effect, target, destination, link, token, outcome, daemon = '' }: AuditEntry = entry
  const from = [address, accountText(entry)].filter((part) => part !== undefined)
  const actor = `${who === '' ? '-' : who}${from.length === 0 ? '' : ` (${from.join(', ')})`}`
  const paths = [target, destination].filter((path) => path !== undefined && path !== '').join(' → ')
  const by = token === undefined ? (link === undefined ? '' : `by link ${link}`) : `by token ${token}`
  const parts = [
    localTime(entry.time),
    daemon,
    actor,
    effect ?? action,
    paths,
    by,
    outcome === 'done' ? '' : outcome,
    detailsOf(entry),
  ]
  return printable(parts.filter((part) => part !== '').join(' '))
}

/** "root", or "alice as root" by sudo. */
function accountText({ account, sudoUser }: AuditEntry): string | undefined {
  return sudoUser === undefined || sudoUser === account ? account : `${sudoUser} as ${account ?? '-'}`
}

/** For example "[user bob scope: / → /bob]". */
function detailsOf(entry: AuditEntry): string {
  const details = auditDetails(entry)
  return details.length === 0 ? '' : `[${details.join('; ')}]`
}

function localTime(iso: string): string {
  const time = new Date(iso)
  if (Number.isNaN(time.getTime())) return iso
  const two = (value: number) => String(value).padStart(2, '0')
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`
}

/** Splits a stream into complete lines, including their line breaks. */
async function* linesIn(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let incomplete = ''
  for await (const part of parts) {
    const lines = `${incomplete}${decoder.decode(part, { stream: true })}`.split(/(?<=\n)/)
    incomplete = lines.at(-1)?.endsWith('\n') === true ? '' : (lines.pop() ?? '')
    yield* lines
  }
}

function parseLines(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text)
  return fail('INVALID_INPUT', `--lines must be a whole number, not "${text}"`, { field: 'lines' })
}

/** @throws NOT_FOUND, and the system's error if this account may not use the data folder */
async function auditFile({ globals, terminal }: Invocation): Promise<string> {
  const folder = dataFolder(globals, terminal)
  const [{ access, constants }, { auditFileIn }] = await Promise.all([
    import('node:fs/promises'),
    import('../../../context/audit-trail.ts'),
  ])
  await access(folder, constants.R_OK | constants.W_OK).catch((error: unknown) => {
    if (!isErrno(error, 'ENOENT')) throw error
    fail('NOT_FOUND', `there is no store in ${folder}, so nothing is logged there`, { reason: 'no store' })
  })
  return auditFileIn(folder)
}

async function logFile(invocation: Invocation): Promise<string> {
  await using context = await openCommandContext(invocation)
  const { log } = context.options
  if (!['', 'stdout', 'stderr'].includes(log)) return log
  const where = log === '' ? 'is turned off' : `goes to ${log} of the daemon`
  const advice = 'to write it to a file, use "filemgr server set log=FILE"; for the activity log, add --audit'
  return fail('NOT_FOUND', `the log ${where}; ${advice}`)
}
