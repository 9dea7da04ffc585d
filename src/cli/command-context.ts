import type { Context } from '../context.ts'
import { withoutPassword } from '../domain/server/store-url.ts'
import { configFileOf, type Location, ownStoreLocation, storeFlag, storeOf } from './store-location.ts'
import { noticeOwnStore } from './foreign-data.ts'
import type { Invocation } from './program/command.ts'
import { commandLog } from './terminal/output.ts'

/**
 * Opens the store for a command. Use `await using`. While a daemon runs with this store, the server options are those of the
 * daemon, whatever the environment and config files of the command say.
 */
export async function openCommandContext(invocation: Invocation, given?: Location): Promise<Context> {
  const { globals, terminal, output } = invocation
  const location = given ?? (await ownStoreLocation(invocation))
  const [{ openContext }, { optionsInForce, readDaemon }] = await Promise.all([
    import('../context/open-context.ts'),
    import('../context/daemon-record.ts'),
  ])
  const daemon = await readDaemon(location.folder)
  const isItsStore = storeOf(daemon) === withoutPassword(location.url)
  const inForce = daemon && isItsStore ? optionsInForce(daemon) : undefined
  const configFile = inForce === undefined ? await configFileOf(globals, terminal) : undefined
  const log = commandLog(output)
  const context = await openContext({
    location,
    flags: storeFlag(globals),
    workingFolder: terminal.cwd(),
    environment: terminal.env,
    configFile: configFile?.options,
    log,
    inForce,
  })
  // Beside a daemon of this account it is clear which store is meant.
  if (daemon === undefined) noticeOwnStore(invocation)
  return context
}
