import { optionsFromEnvironment } from '../../options/environment.ts'
import type { Terminal } from './command.ts'
import { dataFolder, namesFile } from '../data-folder.ts'
import { globalsFromWords } from './line.ts'
import { configFileOf } from '../config-file.ts'

/** Whether environment, config file or store say what to serve when the command line names no command. */
export async function hasSomethingToServe(words: readonly string[], terminal: Terminal): Promise<boolean> {
  const globals = globalsFromWords(words)
  if (namesFile(terminal) || globals.store !== undefined) return true
  if (Object.keys(optionsFromEnvironment(terminal.env)).length > 0) return true
  if ((await configFileOf(globals, terminal)) !== undefined) return true
  const { hasStore } = await import('../../context/first-start.ts')
  return await hasStore({ folder: dataFolder(globals, terminal), url: '' })
}
