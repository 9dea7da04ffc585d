import { Option } from 'commander'
import { OPERATOR } from '../../../domain/accounts/actor.ts'
import { fail } from '../../../domain/errors.ts'
import type { SessionView } from '../../../domain/accounts/session.ts'
import { command, type CommandGroup, type Invocation } from '../../program/command.ts'
import { openContext } from '../../open-context.ts'
import { drawTable } from '../../terminal/table.ts'

const HEADINGS = ['ID', 'USER', 'SIGNED IN', 'LAST SEEN', 'ADDRESS', 'DEVICE']

const userFlag = () => new Option('--user <name>', 'only those of this user')

const list = command({
  name: 'ls',
  summary: 'List signed-in devices',
  operations: ['sessions.list'],
  reads: true,
  options: [userFlag()],
  examples: [
    ['sessions ls', 'of all users, most recent first'],
    ['sessions ls --user bob --json', 'of one user, as JSON'],
  ],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { users, sessions } = context.services
    const name = userOf(invocation)
    const filter = name === undefined ? { all: true } : { userId: users.find(name).id }
    const found = await sessions.list(OPERATOR, filter)
    const { output } = invocation
    const text = () => drawTable(HEADINGS, found.map(row), output, ['DEVICE', 'ADDRESS', 'SIGNED IN'])
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
    await using context = await openContext(invocation)
    const { users, sessions } = context.services
    const { output, values } = invocation
    const [id] = invocation.words
    const name = userOf(invocation)
    if ([id !== undefined, name !== undefined, values['all'] === true].filter(Boolean).length !== 1) {
      fail('INVALID_INPUT', 'give the id of a device, --user or --all', { field: 'id' })
    }
    let revoked = 1
    if (name !== undefined) revoked = await sessions.revokeAllOf(OPERATOR, users.find(name).id)
    else if (typeof id === 'string') await sessions.revoke(OPERATOR, id)
    else revoked = await sessions.revokeAllUsers(OPERATOR)
    await output.answer({ json: { revoked }, text: `${revoked} signed out` })
  },
})

function userOf({ values }: Invocation): string | undefined {
  return typeof values['user'] === 'string' ? values['user'] : undefined
}

/** A session as commands print it: a time has the same name in all of them. */
function shown({ signedInAt, lastSeenAt, expiresAt, ...rest }: SessionView) {
  return { ...rest, created: signedInAt, lastSeen: lastSeenAt, expires: expiresAt }
}

function row({ id, username, signedInAt, lastSeenAt, address, userAgent }: SessionView): string[] {
  return [id, username, signedInAt, lastSeenAt, address, userAgent]
}

export const sessions: CommandGroup = { commands: [list, revoke] }
