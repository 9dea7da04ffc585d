import { Option } from 'commander'
import { listSessionsAsOperator, revokeSessionsAsOperator } from '../../../api/accounts/operator.ts'
import { revokeSession } from '../../../api/accounts/sessions.ts'
import { fail } from '../../../domain/errors.ts'
import type { SessionView } from '../../../domain/accounts/session.ts'
import { command, type CommandGroup, type Invocation } from '../../program/command.ts'
import { openDoor } from '../../door/door.ts'
import { drawTable } from '../../terminal/table.ts'

const HEADINGS = ['ID', 'USER', 'SIGNED IN', 'LAST SEEN', 'WAY', 'ADDRESS', 'DEVICE']

const userFlag = () => new Option('--user <name>', 'only those of this user')

const list = command({
  name: 'ls',
  summary: 'List signed-in devices',
  operations: ['sessions.list'],
  options: [userFlag()],
  examples: [
    ['sessions ls', 'of all users, most recent first'],
    ['sessions ls --user bob --json', 'of one user, as JSON'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const found = await door.call(listSessionsAsOperator, { query: ofUser(userOf(invocation)) })
    const { output } = invocation
    const text = () => drawTable(HEADINGS, found.map(row), output, ['DEVICE', 'ADDRESS', 'SIGNED IN', 'WAY'])
    await output.answer({ json: found.map(shown), ids: found.map(({ id }) => id), text })
  },
})

const revoke = command({
  name: 'revoke [id]',
  summary: 'Sign out devices; takes effect at their next request',
  operations: ['sessions.revoke', 'sessions.revokeAll'],
  options: [userFlag(), new Option('--all', 'all devices of all users')],
  examples: [
    ['sessions revoke --user bob', 'all devices of one user'],
    ['sessions revoke 5Wc1RkJz0Q2hUuVb', 'one device'],
    ['sessions revoke --all', 'all users have to sign in again'],
  ],
  async run(invocation) {
    const { output, values } = invocation
    const [id] = invocation.words
    const name = userOf(invocation)
    if ([id !== undefined, name !== undefined, values['all'] === true].filter(Boolean).length !== 1) {
      fail('INVALID_INPUT', 'give the id of a device, --user or --all', { field: 'id' })
    }
    await using door = await openDoor(invocation)
    let revoked = 1
    if (typeof id === 'string') await door.call(revokeSession, { params: { id } })
    else ({ revoked } = await door.call(revokeSessionsAsOperator, { query: ofUser(name) }))
    await output.answer({ json: { revoked }, text: `${revoked} signed out` })
  },
})

function userOf({ values }: Invocation): string | undefined {
  return typeof values['user'] === 'string' ? values['user'] : undefined
}

function ofUser(user: string | undefined) {
  return user === undefined ? {} : { user }
}

/** A session as commands print it: a time has the same name in all of them. */
function shown({ signedInAt, lastSeenAt, expiresAt, ...rest }: SessionView) {
  return { ...rest, created: signedInAt, lastSeen: lastSeenAt, expires: expiresAt }
}

function row(session: SessionView): string[] {
  const { id, username, signedInAt, lastSeenAt, method, provider, factor, address, userAgent } = session
  const way = [provider ?? method, ...(factor === undefined ? [] : [factor])].join(' + ')
  return [id, username, signedInAt, lastSeenAt, way, address, userAgent]
}

export const sessions: CommandGroup = { commands: [list, revoke] }
