import { Option } from 'commander'
import type { GlobalFlags } from './command.ts'

/** The flags that every command takes. */
export function globalOptions(): Option[] {
  return [
    new Option('-d, --data <folder>', 'where filemgr keeps its own data'),
    new Option('-c, --config <file>', 'config file with start-up values'),
    new Option('--json', 'print one JSON value'),
    new Option('-q, --quiet', 'print ids only'),
    new Option('--no-color', 'print without colours'),
    new Option('--debug', 'print the stack of an error'),
  ]
}

export function globalsOf(values: Readonly<Record<string, unknown>>): GlobalFlags {
  const { data, config, json, quiet, debug } = values
  return {
    ...(typeof data === 'string' && { data }),
    ...(typeof config === 'string' && { config }),
    json: json === true,
    quiet: quiet === true,
    debug: debug === true,
  }
}
