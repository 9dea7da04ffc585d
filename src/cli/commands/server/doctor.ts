import { Option } from 'commander'
import { beginCheck } from '../../../api/accounts/operator.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { defaultsOf } from '../../../domain/schema/schema-tools.ts'
import { publicBase, ServerOptions } from '../../../domain/server/server-options.ts'
import { command, type Invocation } from '../../program/command.ts'
import { ownStoreLocation, storeFlag, configFileOf } from '../../store-location.ts'
import type { Finding, DoctorContext } from '../../doctor/doctor-context.ts'
import { refuseStoreOfService } from '../../foreign-data.ts'

export const doctor = command({
  name: 'doctor',
  summary: 'Check the installation and suggest fixes',
  options: [new Option('--url <address>', 'public address, to check the proxy too')],
  examples: [
    ['doctor', 'exit code 1 if there are faults, 0 for advice only'],
    ['doctor --url https://files.example.org/', 'also checks the proxy'],
    ['doctor --json', 'for scripts and monitors'],
  ],
  async run(invocation) {
    const context = await contextOf(invocation)
    const { runChecks } = await import('../../doctor/run-checks.ts')
    const checks = await runChecks(context)
    const found = checks.flatMap(({ findings }) => findings)
    const faults = found.filter(({ level }) => level === 'fault').length
    await invocation.output.answer({
      json: { sound: faults === 0, checks },
      ids: checks.filter(({ state }) => state === 'fault').map(({ name }) => name),
      text: checks.map((check) => [heading(check), ...check.findings.map(line)].join('\n')).join('\n'),
    })
    if (faults > 0) fail('INTERNAL', faults === 1 ? '1 fault found' : `${faults} faults found`)
  },
})

const SIGNS = { ok: 'ok     ', advice: 'advice ', fault: 'FAULT  ', skipped: '-      ' }

function heading({ state, title, skipped }: { state: keyof typeof SIGNS; title: string; skipped?: string }): string {
  return `${SIGNS[state]}${title}${skipped === undefined ? '' : `: ${skipped}`}`
}

function line({ problem, fix }: Finding): string {
  return `         ${problem}\n         → ${fix}`
}

/** Reads the store without opening it, which would repair what the checks should report. */
async function contextOf(invocation: Invocation): Promise<DoctorContext> {
  const { terminal, values } = invocation
  const location = await ownStoreLocation(invocation)
  const { folder } = location
  const [{ inspectStore }, { optionsInForce, readDaemon }, { daemonAccount }] = await Promise.all([
    import('../../../upkeep/inspect-store.ts'),
    import('../../../context/daemon-record.ts'),
    import('../../doctor/daemon-account.ts'),
  ])
  const [store, daemon] = await Promise.all([inspectStore(location), readDaemon(folder)])
  if (store.reason === 'missing') refuseStoreOfService(invocation)
  const stored = store.document?.server ?? {}
  const nextOptions = await nextOptionsOf(invocation, stored)
  const usableOptions = typeof nextOptions === 'string' ? { ...defaultsOf(ServerOptions), ...stored } : nextOptions
  const options = (daemon && optionsInForce(daemon)?.options) ?? usableOptions
  const given = namedUrl(values['url']) ?? (daemon && publicBase(options))
  return {
    folder,
    database: location.url,
    store,
    options,
    nextOptions,
    daemon,
    account: await daemonAccount(folder, daemon?.pid),
    url: given === undefined ? daemonUrl(daemon?.url) : given.replace(/\/*$/, '/'),
    isPublic: given !== undefined && !isSameOrigin(given, daemon?.url),
    environment: terminal.env,
    now: Date.now(),
    token: async () => (daemon === undefined ? undefined : await tokenOf(invocation)),
  }
}

/** @throws INVALID_INPUT */
function namedUrl(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url
  return fail('INVALID_INPUT', `--url takes an address such as https://files.example.org/, not "${url}"`, {
    field: 'url',
  })
}

/** Undefined for a daemon on a Unix socket, which has no URL to request, and for one that does not listen yet. */
function daemonUrl(url: string | undefined): string | undefined {
  return url?.startsWith('http') === true ? url : undefined
}

/** With the daemon's own address, no proxy is involved. */
function isSameOrigin(one: string, other: string | undefined): boolean {
  return (
    URL.canParse(one) && other !== undefined && URL.canParse(other) && new URL(one).origin === new URL(other).origin
  )
}

/** @returns the options of the next start, or a text that says why they are invalid */
async function nextOptionsOf(invocation: Invocation, stored: Partial<ServerOptions>): Promise<ServerOptions | string> {
  const { globals, terminal } = invocation
  const { resolveOptions } = await import('../../../options.ts')
  try {
    const configFile = (await configFileOf(globals, terminal))?.options
    return resolveOptions({
      workingFolder: terminal.cwd(),
      flags: storeFlag(globals),
      environment: terminal.env,
      configFile,
      stored,
    }).options
  } catch (error) {
    if (!isFilemgrError(error)) throw error
    return error.message
  }
}

async function tokenOf(invocation: Invocation): Promise<string | undefined> {
  const { openDoor } = await import('../../door/door.ts')
  await using door = await openDoor(invocation)
  return (await door.call(beginCheck, {})).token
}
