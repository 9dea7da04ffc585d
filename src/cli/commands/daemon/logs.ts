import { join } from 'node:path'
import { Option } from 'commander'
import { matchesAudit, readAuditLine, type AuditQuery } from '../../../domain/audit.ts'
import { fail } from '../../../domain/errors.ts'
import { command, type Invocation } from '../../program/command.ts'
import { dataFolder } from '../../data-folder.ts'
import { openContext } from '../../open-context.ts'

export const logs = command({
  name: 'logs',
  summary: 'Show the newest lines of the log or the activity log and follow it',
  operations: ['audit.list'],
  reads: true,
  options: [
    new Option('--audit', 'show the activity log: who did what, and when'),
    new Option('-n, --lines <number>', 'number of lines to show first').default(20).argParser(parseLines),
    new Option('--user <name>', 'with --audit: only actions of this user'),
    new Option('--action <id>', 'with --audit: only this operation, or all with this prefix, such as "users."'),
    new Option('--target <text>', 'with --audit: only entries whose path, account or key contains this text'),
    new Option('--outcome <how>', 'with --audit: only entries with this result').choices(['done', 'refused', 'failed']),
    new Option('--no-follow', 'exit after these lines'),
  ],
  examples: [
    ['logs', 'the log of the daemon, if it is written to a file'],
    ['logs --audit --lines 100 --no-follow', 'the last hundred entries, one JSON object per line'],
    ['logs --audit --target /docs --outcome refused', 'requests that were refused below /docs'],
  ],
  async run(invocation) {
    const { values, terminal } = invocation
    const fits = filterOf(invocation)
    const path = values['audit'] === true ? auditFile(invocation) : await logFile(invocation)
    const [{ linesBackward }, { appendedTo, endOf }] = await Promise.all([
      import('../../../platform/logging/rotating-file.ts'),
      import('../../../platform/logging/rotating-file.ts'),
    ])
    const end = await endOf(path)
    const found: string[] = []
    for await (const line of linesBackward(path, end?.size)) {
      if (found.length >= Number(values['lines'])) break
      if (fits(line)) found.push(line)
    }
    const newest = found.toReversed()
    if (values['follow'] === false) {
      await invocation.output.answer({ json: newest.map(recordOf), text: newest.join('\n') })
      return
    }
    newest.forEach((line) => invocation.output.line(line))
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    for await (const line of linesIn(appendedTo(path, end, stop.signal))) if (fits(line)) terminal.stdout.write(line)
  },
})

/** Which lines are wanted. @throws INVALID_INPUT for a filter without --audit: only those lines say who did what */
function filterOf({ values }: Invocation): (line: string) => boolean {
  const { user, action, target, outcome } = values
  const wanted = Object.entries({ user, action, target, outcome }).filter(([, value]) => value !== undefined)
  const [first] = wanted
  if (first === undefined) return () => true
  if (values['audit'] !== true) fail('INVALID_INPUT', `--${first[0]} needs --audit`, { field: first[0] })
  const query: AuditQuery = Object.fromEntries(wanted)
  return (line) => {
    const entry = readAuditLine(line)
    return entry !== undefined && matchesAudit(entry, query)
  }
}

/** Whole lines with their breaks, of what comes in pieces. */
async function* linesIn(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let begun = ''
  for await (const part of parts) {
    const lines = `${begun}${decoder.decode(part, { stream: true })}`.split(/(?<=\n)/)
    begun = lines.at(-1)?.endsWith('\n') === true ? '' : (lines.pop() ?? '')
    yield* lines
  }
}

/** The object of a JSON line; the line itself when it is plain text. */
function recordOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

function parseLines(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text)
  return fail('INVALID_INPUT', `--lines must be a whole number, not "${text}"`, { field: 'lines' })
}

function auditFile({ globals, terminal }: Invocation): string {
  return join(dataFolder(globals, terminal), 'logs', 'audit.log')
}

async function logFile(invocation: Invocation): Promise<string> {
  await using context = await openContext(invocation)
  const { log } = context.options
  if (!['', 'stdout', 'stderr'].includes(log)) return log
  const where = log === '' ? 'is switched off' : `goes to ${log} of the daemon`
  return fail('NOT_FOUND', `the log ${where}; "filemgr server set log=FILE" keeps one, --audit shows who did what`)
}
