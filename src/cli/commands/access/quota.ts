import { listQuotasAsOperator, recountQuotas } from '../../../api/access/operator.ts'
import type { QuotaView } from '../../../domain/access/quota.ts'
import { roughSize } from '../../../domain/text/units.ts'
import { openDoor } from '../../door/door.ts'
import { command, type CommandGroup, type Invocation } from '../../program/command.ts'
import type { Answer } from '../../terminal/output.ts'
import { drawTable } from '../../terminal/table.ts'

const HEADINGS = ['ID', 'USER', 'SCOPE', 'USED', 'OF', 'ENTRIES', 'OF', 'BY', 'COUNTED']

const list = command({
  name: 'ls',
  summary: 'List users with a quota, and how much of it they use',
  operations: ['quotas.list'],
  examples: [
    ['quota ls', 'files that have not been counted yet are counted now'],
    ['quota ls --json', 'in bytes, for scripts'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    await invocation.output.answer(table(await door.call(listQuotasAsOperator, {}), invocation))
  },
})

const recount = command({
  name: 'recount [user]',
  summary: 'Count the files and folders of users with a quota again, after changes by other programs',
  operations: ['quotas.recount'],
  examples: [
    ['quota recount', 'of all users'],
    ['quota recount bob', 'after copying files into the folder of bob'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const [user] = invocation.words
    const counted = await door.call(recountQuotas, { query: typeof user === 'string' ? { user } : {} })
    await invocation.output.answer(table(counted, invocation))
  },
})

function table(quotas: readonly QuotaView[], { output }: Invocation): Answer {
  return {
    json: quotas,
    ids: quotas.map(({ userId }) => userId),
    text: () => drawTable(HEADINGS, quotas.map(row), output, ['COUNTED', 'BY', 'SCOPE']),
  }
}

function row({ userId, username, scope, limit, used, counted, by = [] }: QuotaView): string[] {
  const ofBytes = limit.bytes === 0 ? 'any' : roughSize(limit.bytes)
  const ofFiles = limit.files === 0 ? 'any' : String(limit.files)
  const [bytes, files] = used === null ? ['?', '?'] : [roughSize(used.bytes), String(used.files)]
  return [String(userId), username, scope, bytes, ofBytes, files, ofFiles, by.join(', ') || 'own', counted ?? 'not yet']
}

export const quota: CommandGroup = { commands: [list, recount] }
