import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBackupAsOperator, restoreBackupAsOperator } from '../../../api/server/operator.ts'
import { counted, formatByteSize } from '../../../domain/text/units.ts'
import { fail } from '../../../domain/errors.ts'
import { command, type CommandGroup, type Invocation, wordOf } from '../../program/command.ts'
import { openDoor } from '../../door/door.ts'
import { unwritable } from '../../../platform/files/error-code.ts'

const create = command({
  name: 'create <file>',
  summary: 'Write accounts, settings, links and branding to a tar file; works while the daemon runs',
  operations: ['backup.create'],
  examples: [
    ['backup create state.tar', 'contains password hashes and the signing key, so only its owner can read it'],
    ['backup create - | ssh backup-host "cat > state.tar"', 'to standard output'],
  ],
  async run(invocation) {
    const name = wordOf(invocation)
    await using door = await openDoor(invocation)
    const create = async () => await door.call(createBackupAsOperator, {})
    if (name === '-') {
      await toOutput(invocation, create)
      return
    }
    const path = resolve(invocation.terminal.cwd(), name)
    if (await exists(path)) fail('CONFLICT', `${path} already exists; nothing was written. Choose another name`)
    await stat(dirname(path)).catch((error: unknown) => {
      throw unwritable(path, error, 'INVALID_INPUT')
    })
    const { saveBackup } = await import('../../../store/disk/save-backup.ts')
    await saveBackup(path, await create())
    const { size } = await stat(path)
    const check = { query: { dryRun: true }, body: createReadStream(path) }
    const { users, shares } = await door.call(restoreBackupAsOperator, check)
    await invocation.output.answer({
      json: { file: path, size, users, shares },
      ids: [path],
      text: `${path}: ${formatByteSize(size)}, ${counted(users, 'user')}, ${counted(shares, 'link')}`,
    })
    invocation.output.notice("not included: the users' files, sessions, unfinished uploads and logs")
  },
})

async function toOutput({ terminal }: Invocation, create: () => Promise<AsyncIterable<Uint8Array>>): Promise<void> {
  if (terminal.stdout.isTTY === true) {
    fail('INVALID_INPUT', 'a backup is binary: give a file name or pipe the output', {
      field: 'file',
    })
  }
  await pipeline(Readable.from(await create(), { objectMode: false }), terminal.stdout, { end: false })
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}

export const backup: CommandGroup = { commands: [create] }
