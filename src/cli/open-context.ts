import type { Context } from '../context.ts'
import { loadConfigFile, type ConfigFile } from '../options/config-file.ts'
import type { GlobalFlags, Invocation, Terminal } from './program/command.ts'
import { commandLog } from './terminal/output.ts'
import { ownFolder } from './data-folder.ts'

/**
 * Opens the data folder for a command. Use `await using`. While a daemon runs, the server options are those of the daemon,
 * whatever the environment and config files of the command say.
 */
export async function openContext(invocation: Invocation): Promise<Context> {
  const { globals, terminal, output } = invocation
  const folder = await ownFolder(globals, terminal)
  const [{ openContext: open }, { optionsInForce, readDaemon }] = await Promise.all([
    import('../context/open-context.ts'),
    import('../context/daemon-record.ts'),
  ])
  const daemon = await readDaemon(folder)
  const inForce = daemon && optionsInForce(daemon)
  const configFile = inForce === undefined ? await configFileOf(globals, terminal) : undefined
  const log = commandLog(output)
  return await open({
    folder,
    workingFolder: terminal.cwd(),
    environment: terminal.env,
    configFile: configFile?.options,
    log,
    inForce,
  })
}

/** @throws INVALID_INPUT if the file is missing or malformed */
export async function configFileOf({ config }: GlobalFlags, { env, cwd }: Terminal): Promise<ConfigFile | undefined> {
  const named = config ?? env['FILEMGR_CONFIG']
  return await loadConfigFile({ named, workingFolder: cwd(), environment: env })
}
