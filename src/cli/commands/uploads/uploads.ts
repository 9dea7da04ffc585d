import { Option } from 'commander'
import { discardUploadAsOperator, listUploads } from '../../../api/uploads/operator.ts'
import { fail } from '../../../domain/errors.ts'
import type { UploadView } from '../../../domain/uploads/upload.ts'
import { command, type CommandGroup, wordOf } from '../../program/command.ts'
import { openDoor } from '../../door/door.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { drawTable } from '../../terminal/table.ts'

const HEADINGS = ['ID', 'USER', 'PATH', 'BYTES', 'OF', 'LAST BYTE']

const list = command({
  name: 'ls',
  summary: 'List unfinished uploads',
  operations: ['uploads.list'],
  examples: [
    ['uploads ls', 'of all users, oldest first'],
    ['uploads ls --json', 'for scripts'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const found = await door.call(listUploads, {})
    const { output } = invocation
    const text = () => drawTable(HEADINGS, found.map(row), output, ['LAST BYTE', 'OF', 'BYTES'])
    await output.answer({ json: found, ids: found.map(({ id }) => id), text })
  },
})

const remove = command({
  name: 'rm <id>',
  summary: 'Cancel an unfinished upload and remove its data',
  operations: ['uploads.discard'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['uploads rm 5Wc1RkJz0Q2hUuVb --yes', 'the id is shown by "uploads ls"']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const id = wordOf(invocation)
    if (!(await door.call(listUploads, {})).some((upload) => upload.id === id))
      fail('NOT_FOUND', `there is no upload "${id}"; see "filemgr uploads ls"`)
    await confirmOrFail(invocation, `Cancel the upload ${id}?`)
    await door.call(discardUploadAsOperator, { params: { id } })
    await invocation.output.answer({ json: { id }, ids: [id], text: `${id} has been cancelled` })
  },
})

function row({ id, username, path, offset, length, touched }: UploadView): string[] {
  return [id, username, path, String(offset), String(length), touched]
}

export const uploads: CommandGroup = { commands: [list, remove] }
