import { Option } from 'commander'
import { fail } from '../../../domain/errors.ts'
import { ServerOptions } from '../../../domain/server/server-options.ts'
import { command, type Invocation, type Terminal } from '../../program/command.ts'
import { commandLog } from '../../terminal/output.ts'
import type { ContextRequest } from '../../../context/open-context.ts'
import { storeName } from '../../../domain/server/store-url.ts'
import { requireSavable } from '../../../services/server/server-options.ts'
import { noticeOwnStore } from '../../foreign-data.ts'
import { ownStoreLocation } from '../../store-location.ts'
import {
  askNewPassword,
  isInteractive,
  passwordAdvice,
  passwordFrom,
  passwordOptions,
  sentPassword,
} from '../../program/prompts.ts'
import { patchFrom, savedOptionsOf } from '../../program/schema-options.ts'

const flags = savedOptionsOf(ServerOptions)

export const init = command({
  name: 'init',
  summary: 'Create the store with server options and a first administrator',
  options: [
    ...flags,
    new Option('--username <name>', 'name of the first administrator').default('admin'),
    ...passwordOptions(),
  ],
  examples: [
    ['init --root /srv/files', 'asks for the password of admin'],
    ['init --root /srv/files --username eve --password-stdin < secret', 'for scripts'],
  ],
  async run(invocation) {
    const { terminal, output, values } = invocation
    const location = await ownStoreLocation(invocation)
    const { refuseExistingStore } = await import('../../../context/first-start.ts')
    await refuseUnusedPassword(invocation, location)
    await refuseExistingStore(location)
    noticeOwnStore(invocation)
    const given = patchFrom(flags, values)
    requireSavable(given)
    const server = await checkedServer(given, terminal)
    const account = await createStoreFor(invocation, location, server)
    await output.answer({
      json: { data: location.folder, root: server.root, ...account },
      ids: [storeName(location)],
      text: `${storeName(location)} is ready; ${describeAccount(account)}`,
    })
  },
})

/** @throws CONFLICT if a password was sent, and there is a store already */
export async function refuseUnusedPassword(
  { values }: Invocation,
  location: ContextRequest['location'],
): Promise<void> {
  const flag = sentPassword(values)
  if (flag === undefined) return
  const { hasStore } = await import('../../../context/first-start.ts')
  if (await hasStore(location)) fail('CONFLICT', `${flag} is not applied: ${passwordAdvice(flag, values['username'])}`)
}

interface FirstAccount {
  readonly username: string
  /** Only if it was generated. */
  readonly password?: string
}

/** Creates a store with the administrator that the flags describe. @throws like `createFirstStore` */
export async function createStoreFor(
  invocation: Invocation,
  location: ContextRequest['location'],
  server: Partial<ServerOptions>,
): Promise<FirstAccount> {
  const { createFirstStore } = await import('../../../context/first-start.ts')
  const username = String(invocation.values['username'])
  const secret = await secretOf(invocation, username)
  const { password } = await createFirstStore(location, { username, ...secret }, server, commandLog(invocation.output))
  return { username, ...(password !== undefined && { password }) }
}

export function describeAccount({ username, password }: FirstAccount): string {
  const secret = password === undefined ? '' : `, with the password ${password} (shown only now)`
  return `${username} is its administrator${secret}`
}

/** Refuses values that a start would refuse, and makes the root absolute. @throws INVALID_INPUT */
export async function checkedServer(
  given: Partial<ServerOptions>,
  terminal: Terminal,
): Promise<Partial<ServerOptions> & { root: string }> {
  const [{ resolveOptions }, { checkValues }, { checkServedFolder }, { loadTls }] = await Promise.all([
    import('../../../options.ts'),
    import('../../../daemon/start-checks.ts'),
    import('../../../context/served-folder.ts'),
    import('../../../platform/network/tls-files.ts'),
  ])
  const { options, sources } = resolveOptions({ workingFolder: terminal.cwd(), flags: given })
  checkValues(options, sources)
  await checkServedFolder(options.root)
  await loadTls(options)
  return { ...given, root: options.root }
}

/** Empty if there is neither a password nor a terminal to ask for one: then a password is generated and printed. */
async function secretOf(invocation: Invocation, username: string): Promise<object> {
  const given = await passwordFrom(invocation)
  if (given !== undefined || !isInteractive(invocation.terminal)) return given ?? {}
  return { password: await askNewPassword(username, invocation) }
}
