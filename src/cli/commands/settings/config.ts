import { Readable } from 'node:stream'
import { Option } from 'commander'
import { updateServerAsOperator } from '../../../api/server/operator.ts'
import { getServer } from '../../../api/server/server-options.ts'
import { getSettingsAsOperator, updateSettingsAsOperator } from '../../../api/settings/operator.ts'
import { defaultsOf, isRecord, leaves } from '../../../domain/schema/schema-tools.ts'
import { ServerOptions } from '../../../domain/server/server-options.ts'
import { Settings } from '../../../domain/settings/settings.ts'
import { UserDefaults } from '../../../domain/accounts/user.ts'
import { absoluteRoot } from '../../../platform/files/served-root.ts'
import { command, type CommandGroup, type Invocation, type Terminal, wordOf } from '../../program/command.ts'
import { commandLog } from '../../terminal/output.ts'
import { storeName } from '../../../domain/server/store-url.ts'
import { ownStoreLocation } from '../../store-location.ts'
import { readText } from '../../program/named-files.ts'
import { obsoleteFlags, warnOfObsolete } from '../../old-flags.ts'
import { openDoor } from '../../door/door.ts'
import { optionsOf, patchFrom } from '../../program/schema-options.ts'
import { formatOfText, parseText } from '../../settings-text.ts'
import { importCommand } from '../server/import.ts'
import { checkedServer } from '../server/init.ts'
import { settingsTable } from './settings.ts'
import { exportToFile, importFromFile } from './settings-files.ts'

const serverFlags = optionsOf(ServerOptions)
const settingFlags = optionsOf(Settings)
/** Without ours of the same name as a server option. */
const defaultFlags = optionsOf(UserDefaults, ['root'])

const flags = () => [
  ...serverFlags,
  ...settingFlags,
  ...defaultFlags,
  new Option('--lock-password', 'accepted for old scripts; has no effect, as in File Browser'),
  ...obsoleteFlags(),
]

const init = command({
  name: 'init',
  summary: 'Create a store without accounts; "filemgr init" also creates an administrator',
  options: flags(),
  examples: [['config init --address 0.0.0.0 --signup', 'then "filemgr users add"']],
  async run(invocation) {
    const { terminal, output } = invocation
    warnOfObsolete(invocation)
    const location = await ownStoreLocation(invocation)
    const [{ createEmptyStore }, { resolveOptions }] = await Promise.all([
      import('../../../context/first-start.ts'),
      import('../../../options.ts'),
    ])
    const server = await checkedServer(serverFrom(invocation), terminal)
    const { options } = resolveOptions({ workingFolder: terminal.cwd(), flags: server })
    await createEmptyStore(location, { options, server, settings: settingsFrom(invocation) }, commandLog(output))
    output.notice(`${storeName(location)} is ready; add an administrator with "filemgr users add NAME --perm.admin"`)
    await cat.run(invocation)
  },
})

const set = command({
  name: 'set',
  summary: 'Change settings and server options; without flags, show them',
  operations: ['settings.updateAll', 'server.update'],
  options: flags(),
  examples: [['config set --branding.name "Our files" --port 9000', 'as flags']],
  async run(invocation) {
    await save(invocation)
    await cat.run(invocation)
  },
})

async function save(invocation: Invocation): Promise<void> {
  warnOfObsolete(invocation)
  const { terminal } = invocation
  const server = serverFrom(invocation)
  if (typeof server['root'] === 'string') server['root'] = absoluteRoot(terminal.cwd(), server['root'])
  const settings = settingsFrom(invocation)
  await using door = await openDoor(invocation)
  await door.call(updateSettingsAsOperator, { query: { dryRun: true }, body: settings })
  if (Object.keys(server).length > 0) await door.call(updateServerAsOperator, { body: { values: server } })
  if (Object.keys(settings).length === 0) return
  const { warning } = await door.call(updateSettingsAsOperator, { query: {}, body: settings })
  if (warning !== undefined) invocation.output.notice(warning)
}

/** Write access to the store must not be enough to run programs, so these are switched on at the start only. */
function serverFrom({ values, output }: Invocation): Record<string, unknown> {
  const { enableExec, ...server } = patchFrom(serverFlags, values)
  if (enableExec === true) {
    output.warning(
      'no effect here: --disable-exec=false; to enable the terminal and hooks, "filemgr serve --enable-exec"',
    )
  }
  return server
}

/** File Browser's flags for new users set our `defaults`, and an empty sign-out page is the default one. */
function settingsFrom({ values }: Invocation): Record<string, unknown> {
  const defaults = patchFrom(defaultFlags, values)
  const logoutPage = values['logoutPage'] === '' ? { logoutPage: defaultsOf(Settings)['logoutPage'] } : {}
  return { ...patchFrom(settingFlags, values), ...logoutPage, ...(Object.keys(defaults).length > 0 && { defaults }) }
}

const cat = command({
  name: 'cat',
  summary: 'Show settings and server options',
  operations: ['settings.getAll', 'server.get'],
  examples: [['config cat --json', 'for scripts']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const settings = await door.call(getSettingsAsOperator, {})
    const views = Object.entries(await door.call(getServer, {}))
    const options = Object.fromEntries(views.map(([name, { value }]) => [name, value]))
    const { output } = invocation
    const shown = settingsTable(settings, leaves(Settings), settings, output)
    const server = settingsTable(options, leaves(ServerOptions), options, output)
    const draw = async (text: typeof shown.text) => (typeof text === 'string' ? text : await text())
    await output.answer({
      json: { settings, server: options },
      ids: [...(shown.ids ?? []), ...(server.ids ?? [])],
      text: async () => `${await draw(shown.text)}\n\n${await draw(server.text)}`,
    })
  },
})

const exportAlias = command({
  ...exportToFile,
  name: 'export <file>',
  options: [],
  async run(invocation) {
    await exportToFile.run({ ...invocation, values: { ...invocation.values, format: 'filebrowser' } })
  },
})

const importAlias = command({
  ...importFromFile,
  options: [],
  async run(invocation) {
    const file = wordOf(invocation)
    const text = await readText(file, invocation)
    const value = await parseText(text, formatOfText(file, text), file)
    const isOld = isRecord(value) && isRecord(value['settings']) && isRecord(value['server'])
    // Standard input has been read, so it is read again from the text.
    const stdin = file === '-' ? Readable.from([Buffer.from(text)]) : invocation.terminal.stdin
    const again = { ...invocation, terminal: { ...invocation.terminal, stdin: stdin as Terminal['stdin'] } }
    await (isOld ? importCommand.run({ ...again, words: [[file]] }) : importFromFile.run(again))
  },
})

export const config: CommandGroup = { commands: [init, set, cat, exportAlias, importAlias] }
