import { type AuditFacts, auditText } from '../../domain/server/audit.ts'
import { whoRan } from '../../operations/perform.ts'
import { recorded } from '../../operations/recorded.ts'
import { dataFolder } from '../data-folder.ts'
import type { Invocation } from '../program/command.ts'
import { storeLocationIn } from '../store-location.ts'
import { commandLog } from '../terminal/output.ts'
import { callerOf } from './caller.ts'

/**
 * Does what no daemon and no open store can do, such as to replace a store that cannot be read, and records it in the activity
 * log of the data folder. @throws as the work
 */
export async function recordedAlone<T>(
  invocation: Invocation,
  { action, target }: { readonly action: string; readonly target?: string },
  work: () => Promise<T>,
): Promise<T> {
  const named = target === undefined ? {} : { target: auditText(target) }
  const facts = { ...whoRan(callerOf(invocation.terminal)), action, ...named }
  return await recorded(async (outcome) => await record(invocation, { ...facts, ...outcome }), work)
}

/**
 * Writes nothing if the folder has no store and no daemon ever used it: then it has no activity log. Nor if it belongs to another
 * account, so that the command has failed.
 */
async function record(invocation: Invocation, facts: AuditFacts): Promise<void> {
  const { globals, terminal, output } = invocation
  const folder = dataFolder(globals, terminal)
  const [{ existsSync }, { join }, { auditTrailAt }, { createAudit }, { createAuditExport }, { systemClock }] =
    await Promise.all([
      import('node:fs'),
      import('node:path'),
      import('../../context/audit-trail.ts'),
      import('../../services/server/audit/audit.ts'),
      import('../../services/server/audit/audit-export.ts'),
      import('../../platform/clock.ts'),
    ])
  // The command itself has failed if the address of its store is wrong.
  const { url } = await storeLocationIn(folder, invocation).catch(() => ({ url: '' }))
  const hasFile = ['store.json', 'installation.id'].some((name) => existsSync(join(folder, name)))
  if (hasFile && !(await mayWrite(folder))) return
  if (!hasFile && url === '') return
  const log = commandLog(output)
  await using trail = await auditTrailAt({ folder, url }, hasFile, log)
  const targets = await targetsOfDaemon(folder)
  const copies = createAuditExport({ targets, clock: systemClock, log })
  await using audit = createAudit({ trail, copies, clock: systemClock, log })
  audit.record(facts)
}

async function targetsOfDaemon(folder: string): Promise<readonly string[]> {
  const { optionsInForce, readDaemon } = await import('../../context/daemon-record.ts')
  const daemon = await readDaemon(folder)
  return (daemon && optionsInForce(daemon)?.options.auditExport) ?? []
}

async function mayWrite(folder: string): Promise<boolean> {
  const { access, constants } = await import('node:fs/promises')
  return await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
}
