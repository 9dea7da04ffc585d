import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Option } from 'commander'
import { fail } from '../../../domain/errors.ts'
import { ServerOptions } from '../../../domain/server/server-options.ts'
import { absoluteRoot } from '../../../platform/files/served-root.ts'
import { command, type CommandGroup, type Invocation, wordOf } from '../../program/command.ts'
import { optionsOf, patchFrom } from '../../program/schema-options.ts'
import { passwordOptions } from '../../program/prompts.ts'
import { environmentValue } from '../../../options/environment.ts'
import { ownFolder } from '../../data-folder.ts'
import { storeLocationIn, storeFlag } from '../../store-location.ts'
import { type ServicePlan, UNIT } from '../../service/install.ts'
import { requireRoot, requireSystemd, runSystem } from '../../service/system.ts'
import { checkedServer, createStoreFor, describeAccount, refuseUnusedPassword } from './init.ts'

const flags = optionsOf(ServerOptions, ['root'])

const unitFolderOption = () => new Option('--unit-folder <folder>', 'folder of the unit').default('/etc/systemd/system')

const install = command({
  name: 'install <folder>',
  summary: 'Serve a folder by systemd, now and at every boot',
  options: [
    ...flags,
    new Option('--user <account>', 'account that runs the service; created if it is missing').default('filemgr'),
    new Option('--username <name>', 'administrator of a new store').default('admin'),
    ...passwordOptions(),
    unitFolderOption(),
    new Option('--dry-run', 'print the unit and change nothing'),
  ],
  examples: [
    ['service install /srv/files', 'for this machine, or a proxy on it'],
    ['service install /srv/files --address 0.0.0.0 --port 80', 'for the network'],
    ['service install /srv/files --dry-run', 'only prints the unit'],
  ],
  async run(invocation) {
    const { values, output, terminal } = invocation
    const plan = await planOf(invocation)
    const { installUnit, plannedUnit, prepareAccount } = await import('../../service/install.ts')
    const unit = await plannedUnit(plan)
    if (values['dryRun'] === true) {
      await output.answer({ json: { unit }, text: unit.trimEnd() })
      return
    }
    requireRoot('install')
    const { account: user, dataFolder: data, root } = plan
    const unwritable = await prepareAccount(plan)
    await checkedServer({ ...plan.given, root }, terminal)
    const { hasStore } = await import('../../../context/first-start.ts')
    const location = await storeLocationIn(data, invocation)
    await refuseUnusedPassword(invocation, location)
    const account = (await hasStore(location)) ? undefined : await createStoreFor(invocation, location, { root })
    // Before the service starts: if it does not, the password would be lost.
    if (account !== undefined) output.notice(`created ${data}; ${describeAccount(account)}`)
    await installUnit(unit, plan)
    if (unwritable !== undefined) output.warning(unwritable)
    const path = join(plan.unitFolder, UNIT)
    await output.answer({
      json: { unit: path, user, data, root, writable: unwritable === undefined, ...account },
      ids: [path],
      text: `${UNIT} serves ${root} as ${user}, now and at every boot; "filemgr status" shows where`,
    })
  },
})

async function planOf(invocation: Invocation): Promise<ServicePlan> {
  const { globals, terminal, values } = invocation
  const workingFolder = terminal.cwd()
  const named = globals.data ?? terminal.env['FILEMGR_DATA']
  if (environmentValue(terminal.env, 'STORE') !== undefined) {
    const advice = 'put "store" into a file for --config, which only root and the service can read'
    fail('INVALID_INPUT', `the service does not get FILEMGR_STORE: ${advice}`, { field: 'store' })
  }
  const config = globals.config ?? terminal.env['FILEMGR_CONFIG']
  return {
    account: String(values['user']),
    // The default folder of root, which runs the installation, even in a dry run by another account.
    dataFolder: named === undefined ? '/var/lib/filemgr' : await ownFolder(globals, terminal),
    configFile: config === undefined ? undefined : resolve(workingFolder, config),
    root: absoluteRoot(workingFolder, wordOf(invocation)),
    given: { ...patchFrom(flags, values), ...storeFlag(globals) },
    workingFolder,
    unitFolder: String(values['unitFolder']),
  }
}

const remove = command({
  name: 'remove',
  summary: 'Stop the service and remove its unit; files, accounts and settings stay',
  options: [unitFolderOption()],
  examples: [['service remove', 'the account and the data folder stay, too']],
  async run({ values, output }) {
    requireRoot('remove')
    await requireInstalled()
    await runSystem('systemctl', ['disable', '--now', UNIT])
    const path = join(String(values['unitFolder']), UNIT)
    await rm(path, { force: true })
    await runSystem('systemctl', ['daemon-reload'])
    await output.answer({ json: { removed: path }, ids: [path], text: `removed ${path}` })
  },
})

const status = command({
  name: 'status',
  summary: 'Show whether the service is installed and running',
  examples: [['service status --json', 'for scripts; exit code 3 if it is not installed, 7 if it is not running']],
  async run({ output }) {
    const { ActiveState: state, UnitFileState: boot, MainPID: pid, FragmentPath: unit = '' } = await requireInstalled()
    const running = state === 'active'
    const enabled = boot === 'enabled'
    await output.answer({
      json: { unit, running, state, enabled, pid: running ? Number(pid) : null },
      ids: [unit],
      text: [
        running ? `${UNIT} is running as process ${pid}` : `${UNIT} is ${state}`,
        enabled ? 'it starts at every boot' : 'it does not start at boot',
        unit,
      ].join('\n'),
    })
    if (!running) fail('DAEMON_NOT_RUNNING', `the service is not running; "journalctl -u ${UNIT}" says why`)
  },
})

const PROPERTIES = ['LoadState', 'ActiveState', 'UnitFileState', 'MainPID', 'FragmentPath'] as const

/** @throws UNSUPPORTED without systemd; NOT_FOUND */
async function requireInstalled(): Promise<Partial<Record<(typeof PROPERTIES)[number], string>>> {
  await requireSystemd()
  const shown = await runSystem('systemctl', ['show', UNIT, `--property=${PROPERTIES.join(',')}`])
  const found = shown.split('\n').map((line) => [line.split('=', 1)[0] ?? '', line.replace(/^[^=]*=/, '')] as const)
  const properties: Partial<Record<(typeof PROPERTIES)[number], string>> = Object.fromEntries(found)
  if (properties.LoadState === 'loaded') return properties
  return fail('NOT_FOUND', 'the service is not installed; install it with "filemgr service install"')
}

export const service: CommandGroup = { commands: [install, remove, status] }
