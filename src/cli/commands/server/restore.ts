import { access, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option } from 'commander'
import { restoreBackupAsOperator } from '../../../api/server/operator.ts'
import type { RescueReport } from '../../../upkeep/restore.ts'
import { counted } from '../../../domain/text/units.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { command, type Invocation, type Terminal, wordOf } from '../../program/command.ts'
import { ownStoreLocation } from '../../store-location.ts'
import { findDaemon } from '../../data-folder.ts'
import { unreadable } from '../../program/named-files.ts'
import { type Door, openDoor } from '../../door/door.ts'
import { confirmOrFail } from '../../program/prompts.ts'

export const restore = command({
  name: 'restore <file>',
  summary: 'Restore a backup; the current state is kept in the data folder',
  operations: ['backup.restore'],
  options: [
    new Option('--dry-run', 'check the backup and show what would change'),
    new Option('-y, --yes', 'do not ask'),
  ],
  examples: [
    ['restore state.tar --dry-run', 'checks the backup and lists its content'],
    ['restore /var/lib/filemgr/store.v1.0.0.json', 'goes back to the state that filemgr 1.0.0 left before an upgrade'],
    ['restore state.tar --yes', 'also while the daemon runs or store.json is damaged; all users sign in again'],
  ],
  async run(invocation) {
    const dryRun = invocation.values['dryRun'] === true
    const name = wordOf(invocation)
    if (name !== '-')
      await access(resolve(invocation.terminal.cwd(), name)).catch((error: unknown) => unreadable(name, error))
    if (!dryRun) await confirmOrFail(invocation, `Replace all accounts, settings and links with those in ${name}?`)
    const report = await restoreFrom(invocation, name, dryRun)
    await invocation.output.answer({ json: report, ids: [report.kept], text: textOf(report) })
    const daemon = dryRun ? undefined : await findDaemon(invocation)
    if (daemon !== undefined) invocation.output.notice(`the running daemon (pid ${daemon.pid}) uses it immediately`)
  },
})

async function restoreFrom(invocation: Invocation, name: string, dryRun: boolean): Promise<RescueReport> {
  const { terminal } = invocation
  const location = await ownStoreLocation(invocation)
  await using door = await openIfUsable(invocation)
  const stream = name === '-' ? terminal.stdin : await openFile(name, terminal, location.folder)
  if (door !== undefined)
    return await door.call(restoreBackupAsOperator, { query: { dryRun, file: name }, body: stream })
  const { restoreWithoutStore } = await import('../../../upkeep/restore.ts')
  const work = async () => await restoreWithoutStore({ location, stream, dryRun })
  if (dryRun) return await work()
  const { recordedAlone } = await import('../../door/without-store.ts')
  return await recordedAlone(invocation, { action: restoreBackupAsOperator.id, target: name }, work)
}

/** Undefined if the store is missing, damaged or of a newer filemgr: a restore replaces it. */
async function openIfUsable(invocation: Invocation): Promise<Door | undefined> {
  try {
    return await openDoor(invocation)
  } catch (error) {
    const isGone = isFilemgrError(error, 'NOT_FOUND')
    const { reason } = isFilemgrError(error, 'STORE_INVALID') ? error.details : {}
    if (isGone || reason === 'damaged' || reason === 'newer') return undefined
    throw error
  }
}

/** A backup, or a store that an upgrade kept. */
async function openFile(name: string, { cwd }: Terminal, folder: string): Promise<AsyncIterable<Uint8Array>> {
  const file = await open(resolve(cwd(), name)).catch((error: unknown) => unreadable(name, error))
  const found = await file.stat()
  if (found.isDirectory()) {
    await file.close()
    fail('INVALID_INPUT', `${name} is a folder; choose a backup file`, { field: 'file' })
  }
  const stream = file.createReadStream()
  if (!name.endsWith('.json')) return stream
  const { backupOfKeptStore } = await import('../../../upkeep/restore.ts')
  return await backupOfKeptStore({ stream, written: found.mtime }, folder)
}

function textOf(report: RescueReport): string {
  const { created, filemgr, users, shares, branding, usersBefore, sharesBefore, kept, notes, dryRun } = report
  const before =
    usersBefore === null || sharesBefore === null
      ? 'replaces a store that cannot be read'
      : `replaces ${counted(usersBefore, 'user')} and ${counted(sharesBefore, 'link')}`
  const parts = [counted(users, 'user'), counted(shares, 'link'), counted(branding, 'branding file')]
  return [
    `backup of ${created}, by filemgr ${filemgr}: ${parts.join(', ')}`,
    `${before}${kept === '' ? '' : `, saved as ${kept}`}`,
    'all users must sign in again, with their passwords from the backup',
    ...notes,
    dryRun ? 'the backup is valid; nothing was changed: this was a dry run' : 'restored',
  ].join('\n')
}
