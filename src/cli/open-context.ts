import type { Context } from '../context.ts'
import type { ServerOptions } from '../domain/settings/server-options.ts'
import { loadConfigFile, type ConfigFile } from '../options/config-file.ts'
import type { GlobalFlags, Invocation, Terminal } from './program/command.ts'
import { commandLog } from './terminal/output.ts'
import { ownFolder } from './data-folder.ts'

/**
 * What a command needs to reach the data: open it with `await using`.
 *
 * @param inForce start-up values that a running daemon was given by its own flags
 */
export async function openContext(
  { globals, terminal, output }: Invocation,
  inForce: Partial<ServerOptions> = {},
): Promise<Context> {
  const folder = await ownFolder(globals, terminal)
  const [{ openContext: open }, configFile] = await Promise.all([
    import('../context/open-context.ts'),
    configFileOf(globals, terminal),
  ])
  const log = commandLog(output)
  return await open({
    folder,
    workingFolder: terminal.cwd(),
    flags: inForce,
    environment: terminal.env,
    configFile: configFile?.options,
    log,
  })
}

/** @throws INVALID_INPUT for a file that is missing or malformed */
export async function configFileOf({ config }: GlobalFlags, { env, cwd }: Terminal): Promise<ConfigFile | undefined> {
  const named = config ?? env['FILEMGR_CONFIG']
  return await loadConfigFile({ named, workingFolder: cwd(), environment: env })
}
