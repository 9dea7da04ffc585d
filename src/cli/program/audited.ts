import { userInfo } from 'node:os'
import { auditText, cutHash } from '../../domain/server/audit.ts'
import { isFilemgrError } from '../../domain/errors.ts'
import type { AuditFacts } from '../../services/server/audit/audit.ts'
import { AuditNotes, withNotes } from '../../services/server/audit/notes.ts'
import type { Command, Invocation } from './command.ts'
import { EXIT, exitCodeOf } from './exit-codes.ts'
import { dataFolder } from '../data-folder.ts'
import { storeLocationIn } from '../store-location.ts'

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

async function mayWrite(folder: string): Promise<boolean> {
  const { access, constants } = await import('node:fs/promises')
  return await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
}

/** The first argument names the target. What follows "=", and the path of a URL, may be a secret and is not logged. */
function targetOf(action: string, { words: [first] }: Invocation): Pick<AuditFacts, 'target'> {
  const word = Array.isArray(first) ? first.map((text) => String(text).split('=')[0]).join(' ') : first
  if (typeof word !== 'string') return {}
  const name = /^https?:/.test(word) && URL.canParse(word) ? new URL(word).origin : (word.split('=')[0] ?? '')
  const isLink = action.startsWith('shares.') && action !== 'shares.create'
  return { target: auditText(isLink ? cutHash(name) : name) }
}

/**
 * Writes nothing if the folder has no store and no daemon ever used it: then it has no activity log. Nor if it belongs to another
 * account, so that the command has failed.
 */
async function record(invocation: Invocation, facts: AuditFacts, known: readonly string[] | undefined): Promise<void> {
  const { globals, terminal, output } = invocation
  const folder = dataFolder(globals, terminal)
  const [
    { existsSync },
    { join },
    { auditTrailAt },
    { createAudit },
    { createAuditExport },
    { systemClock },
    { commandLog },
  ] = await Promise.all([
    import('node:fs'),
    import('node:path'),
    import('../../context/audit-trail.ts'),
    import('../../services/server/audit/audit.ts'),
    import('../../services/server/audit/audit-export.ts'),
    import('../../platform/clock.ts'),
    import('../terminal/output.ts'),
  ])
  // The command itself has failed if the address of its store is wrong.
  const { url } = await storeLocationIn(folder, invocation).catch(() => ({ url: '' }))
  const hasFile = ['store.json', 'installation.id'].some((name) => existsSync(join(folder, name)))
  if (hasFile && !(await mayWrite(folder))) return
  if (!hasFile && url === '') return
  const log = commandLog(output)
  await using trail = await auditTrailAt({ folder, url }, hasFile, log)
  const targets = known ?? (await targetsOfDaemon(folder))
  const copies = createAuditExport({ targets, clock: systemClock, log })
  await using audit = createAudit({ trail, copies, clock: systemClock, log })
  audit.record(facts)
}

/** For a command that needs no store, such as one that replaces it. */
async function targetsOfDaemon(folder: string): Promise<readonly string[]> {
  const { optionsInForce, readDaemon } = await import('../../context/daemon-record.ts')
  const daemon = await readDaemon(folder)
  return (daemon && optionsInForce(daemon)?.options.auditExport) ?? []
}
