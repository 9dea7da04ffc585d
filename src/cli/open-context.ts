import type { Context } from '../context.ts'
import { loadConfigFile, type ConfigFile } from '../options/config-file.ts'
import type { GlobalFlags, Invocation, Terminal } from './program/command.ts'
import { commandLog } from './terminal/output.ts'
import { ownFolder } from './data-folder.ts'

/**
 * What a command needs to reach the data: open it with `await using`. Beside a running daemon the start-up values are those of
 * the daemon, whatever the environment and the config files of this command say.
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

/** @throws INVALID_INPUT for a file that is missing or malformed */
export async function configFileOf({ config }: GlobalFlags, { env, cwd }: Terminal): Promise<ConfigFile | undefined> {
  const named = config ?? env['FILEMGR_CONFIG']
  return await loadConfigFile({ named, workingFolder: cwd(), environment: env })
}
