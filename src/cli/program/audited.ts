import { userInfo } from 'node:os'
import { auditText, cutHash } from '../../domain/server/audit.ts'
import { isFilemgrError } from '../../domain/errors.ts'
import type { AuditFacts } from '../../services/server/audit/audit.ts'
import { AuditNotes, withNotes } from '../../services/server/audit/notes.ts'
import type { Command, Invocation } from './command.ts'
import { EXIT, exitCodeOf } from './exit-codes.ts'

/** Runs a command. If it changes something, records it in the activity log like the API call. */
export async function audited(command: Command, invocation: Invocation): Promise<void> {
  const action = await changingOperation(command)
  if (action === undefined || invocation.values['dryRun'] === true) {
    await command.run(invocation)
    return
  }
  const notes = new AuditNotes()
  const outcome = await withNotes(notes, async () => await outcomeOf(async () => await command.run(invocation)))
  if (!notes.usesDoor && (!isMistyped(outcome) || notes.hasChanges)) {
    const changed = command.changed?.(invocation) ?? { action, ...targetOf(action, invocation) }
    const who = { who: 'operator', ...accountOf(invocation) }
    const { record } = await import('../door/without-store.ts')
    await record(invocation, { ...who, ...changed, ...notes.noted, outcome: outcome.word }, notes.targets)
  }
  if ('error' in outcome) throw outcome.error
}

/** A mistake in the line: nobody has tried to do what is not allowed. */
function isMistyped({ error }: Outcome): boolean {
  return isFilemgrError(error) && exitCodeOf(error.code) === EXIT.usage
}

/** Who ran the command. The variable is only a claim, but one that the account itself, or root, has made. */
function accountOf({ terminal: { env } }: Invocation): Pick<AuditFacts, 'account' | 'sudoUser'> {
  const sudoUser = env['SUDO_USER'] ?? ''
  return { account: auditText(accountName()), ...(sudoUser !== '' && { sudoUser: auditText(sudoUser) }) }
}

/** An account that is only a number, as in containers, has no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? '')
  }
}

interface Outcome {
  readonly word: AuditFacts['outcome']
  readonly error?: unknown
}

async function outcomeOf(work: () => Promise<void>): Promise<Outcome> {
  try {
    await work()
    return { word: 'done' }
  } catch (error) {
    return { word: isFilemgrError(error) && error.code !== 'INTERNAL' ? 'refused' : 'failed', error }
  }
}

/** The API operation that the command performs; undefined if it only reads. */
async function changingOperation({ operations = [], reads, recordedAs }: Command): Promise<string | undefined> {
  if (reads === true || operations.length === 0) return recordedAs
  const { OPERATIONS } = await import('../../api/index.ts')
  const reading = new Set(OPERATIONS.flatMap(({ id, method }) => (method === 'GET' ? [id] : [])))
  return operations.find((id) => !reading.has(id))
}

/** The first argument names the target. What follows "=", and the path of a URL, may be a secret and is not logged. */
function targetOf(action: string, { words: [first] }: Invocation): Pick<AuditFacts, 'target'> {
  const word = Array.isArray(first) ? first.map((text) => String(text).split('=')[0]).join(' ') : first
  if (typeof word !== 'string') return {}
  const name = /^https?:/.test(word) && URL.canParse(word) ? new URL(word).origin : (word.split('=')[0] ?? '')
  const isLink = action.startsWith('shares.') && action !== 'shares.create'
  return { target: auditText(isLink ? cutHash(name) : name) }
}
