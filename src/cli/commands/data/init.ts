import { Option } from 'commander'
import { ServerOptions } from '../../../domain/settings/server-options.ts'
import { command, type Invocation, type Terminal } from '../../program/command.ts'
import { commandLog } from '../../terminal/output.ts'
import { ownFolder } from '../../data-folder.ts'
import { askNewPassword, isInteractive, passwordFrom, passwordOptions } from '../../terminal/prompts.ts'
import { optionsOf, patchFrom } from '../../program/schema-options.ts'

const flags = optionsOf(ServerOptions, ['enableExec'])

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
    const { globals, terminal, output, values } = invocation
    const folder = await ownFolder(globals, terminal)
    const { createFirstStore, refuseExistingStore } = await import('../../../context/first-start.ts')
    await refuseExistingStore(folder)
    const server = await checkedServer(patchFrom(flags, values), terminal)
    const username = String(values['username'])
    const secret = await secretOf(invocation, username)
    const account = await createFirstStore(folder, { username, ...secret }, server, commandLog(output))
    const shown = account.password === undefined ? {} : { password: account.password }
    const password = account.password === undefined ? '' : `, with the password ${account.password} (shown only now)`
    await output.answer({
      json: { data: folder, root: server.root, username, ...shown },
      ids: [folder],
      text: `${folder} is ready; ${username} is its administrator${password}`,
    })
  },
})

/** Refuses values that a start would refuse, and makes the root absolute. @throws INVALID_INPUT */
export async function checkedServer(
  given: Partial<ServerOptions>,
  terminal: Terminal,
): Promise<Partial<ServerOptions> & { root: string }> {
  const [{ resolveOptions }, { checkValues }, { checkRoot }, { loadTls }] = await Promise.all([
    import('../../../options.ts'),
    import('../../../daemon/start-checks.ts'),
    import('../../../platform/files/served-root.ts'),
    import('../../../platform/network/tls-files.ts'),
  ])
  const { options, sources } = resolveOptions({ workingFolder: terminal.cwd(), flags: given })
  checkValues(options, sources)
  await checkRoot(options.root)
  await loadTls(options)
  return { ...given, root: options.root }
}

/** Empty without a password and a terminal: then a password is generated and printed. */
async function secretOf(invocation: Invocation, username: string): Promise<object> {
  const given = await passwordFrom(invocation)
  if (given !== undefined || !isInteractive(invocation.terminal)) return given ?? {}
  return { password: await askNewPassword(username, invocation.terminal) }
}
