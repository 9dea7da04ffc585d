import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { OPERATOR } from '../../../domain/accounts/actor.ts'
import { counted, formatByteSize } from '../../../domain/text/units.ts'
import { fail } from '../../../domain/errors.ts'
import { command, type CommandGroup, type Invocation, wordOf } from '../../program/command.ts'
import { openContext } from '../../open-context.ts'
import { unwritable } from '../../../platform/files/unwritable.ts'

const create = command({
  name: 'create <file>',
  summary: 'Write accounts, settings, links and branding to a tar file; works while the daemon runs',
  operations: ['backup.create'],
  reads: true,
  examples: [
    ['backup create state.tar', 'contains password hashes and the signing key, so only its owner can read it'],
    ['backup create - | ssh backup-host "cat > state.tar"', 'to standard output'],
  ],
  async run(invocation) {
    const name = wordOf(invocation)
    await using context = await openContext(invocation)
    if (name === '-') {
      await toOutput(invocation, await context.services.backups.create(OPERATOR))
      return
    }
    const path = resolve(invocation.terminal.cwd(), name)
    if (await exists(path)) fail('CONFLICT', `${path} already exists; nothing was written. Choose another name`)
    await stat(dirname(path)).catch((error: unknown) => {
      throw unwritable(path, error, 'INVALID_INPUT')
    })
    const { saveBackup } = await import('../../../context/backup-folders.ts')
    const { users, shares } = context.store.snapshot()
    await saveBackup(path, await context.services.backups.create(OPERATOR))
    const { size } = await stat(path)
    await invocation.output.answer({
      json: { file: path, size, users: users.length, shares: shares.length },
      ids: [path],
      text: `${path}: ${formatByteSize(size)}, ${counted(users.length, 'user')}, ${counted(shares.length, 'link')}`,
    })
    invocation.output.notice("not included: the users' files, sessions, unfinished uploads and logs")
  },
})

async function toOutput({ terminal }: Invocation, backup: AsyncIterable<Uint8Array>): Promise<void> {
  if (terminal.stdout.isTTY === true) {
    fail('INVALID_INPUT', 'a backup is binary: give a file name or pipe the output', {
      field: 'file',
    })
  }
  await pipeline(Readable.from(backup, { objectMode: false }), terminal.stdout, { end: false })
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}

export const backup: CommandGroup = { commands: [create] }
