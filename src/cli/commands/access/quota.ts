import { OPERATOR } from '../../../domain/accounts/actor.ts'
import { fail } from '../../../domain/errors.ts'
import type { QuotaView } from '../../../domain/access/quota.ts'
import type { UserId } from '../../../domain/ids.ts'
import { roughSize } from '../../../domain/text/units.ts'
import { accountsNamed } from '../../../services/accounts/users/account-names.ts'
import { openDaemonClient } from '../../daemon-client.ts'
import { findDaemon } from '../../find-daemon.ts'
import { openContext } from '../../open-context.ts'
import { command, type CommandGroup, type Invocation } from '../../program/command.ts'
import type { Answer } from '../../terminal/output.ts'
import { drawTable } from '../../terminal/table.ts'

const HEADINGS = ['ID', 'USER', 'SCOPE', 'USED', 'OF', 'ENTRIES', 'OF', 'COUNTED']

const list = command({
  name: 'ls',
  summary: 'List users with a quota, and how much of it they use',
  operations: ['quotas.list'],
  reads: true,
  examples: [
    ['quota ls', 'what the daemon knows; without one, the files are counted'],
    ['quota ls --json', 'in bytes, for scripts'],
  ],
  async run(invocation) {
    await using quotas = await openQuotas(invocation)
    await invocation.output.answer(table(await quotas.list(), invocation))
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
    await using quotas = await openQuotas(invocation)
    const [name] = invocation.words
    const all = await quotas.list()
    const chosen =
      name === undefined
        ? all
        : [...accountsNamed(all, String(name)), ...all.filter(({ userId }) => name === `id:${userId}`)]
    if (name !== undefined && chosen.length === 0) fail('NOT_FOUND', `there is no user "${String(name)}" with a quota`)
    const counted: QuotaView[] = []
    for (const { userId } of chosen) counted.push(await quotas.recount(userId))
    await invocation.output.answer(table(counted, invocation))
  },
})

interface OpenQuotas extends AsyncDisposable {
  list(): Promise<QuotaView[]>
  recount(userId: number): Promise<QuotaView>
}

/** Uses the counts of the running daemon. Without a daemon there are none, so this process counts the files. */
async function openQuotas(invocation: Invocation): Promise<OpenQuotas> {
  if ((await findDaemon(invocation)) !== undefined) {
    const daemon = await openDaemonClient(invocation)
    return {
      list: async () => await daemon.request('GET', 'api/quotas'),
      recount: async (userId) => await daemon.request('POST', `api/quotas/${userId}/recount`),
      [Symbol.asyncDispose]: async () => await daemon[Symbol.asyncDispose](),
    }
  }
  const context = await openContext(invocation)
  const { quotas } = context.services
  return {
    list: async () =>
      await Array.fromAsync(await quotas.list(OPERATOR), async (quota) =>
        quota.used === null ? await quotas.recount(OPERATOR, quota.userId as UserId) : quota,
      ),
    recount: async (userId) => await quotas.recount(OPERATOR, userId as UserId),
    [Symbol.asyncDispose]: async () => await context[Symbol.asyncDispose](),
  }
}

function table(quotas: readonly QuotaView[], { output }: Invocation): Answer {
  return {
    json: quotas,
    ids: quotas.map(({ userId }) => userId),
    text: () => drawTable(HEADINGS, quotas.map(row), output, ['COUNTED', 'SCOPE']),
  }
}

function row({ userId, username, scope, limit, used, counted }: QuotaView): string[] {
  const ofBytes = limit.bytes === 0 ? 'any' : roughSize(limit.bytes)
  const ofFiles = limit.files === 0 ? 'any' : String(limit.files)
  const [bytes, files] = used === null ? ['?', '?'] : [roughSize(used.bytes), String(used.files)]
  return [String(userId), username, scope, bytes, ofBytes, files, ofFiles, counted ?? 'not yet']
}

export const quota: CommandGroup = { commands: [list, recount] }
