import { loadConfigFile, type ConfigFile } from '../options/config-file.ts'
import type { GlobalFlags, Terminal } from './program/command.ts'

/** @throws INVALID_INPUT if the file is missing or malformed */
export async function configFileOf({ config }: GlobalFlags, { env, cwd }: Terminal): Promise<ConfigFile | undefined> {
  const named = config ?? env['FILEMGR_CONFIG']
  return await loadConfigFile({ named, workingFolder: cwd(), environment: env })
}
