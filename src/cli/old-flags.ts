import { Option } from 'commander'
import type { Invocation } from './program/command.ts'
import { OBSOLETE_OPTION, obsoleteVariable } from '../options/environment.ts'

/** Flags of File Browser that mean nothing here. A start script must not fail because of them. */
export function obsoleteFlags(): Option[] {
  return [new Option(`${OBSOLETE_OPTION.flag} <text>`, 'accepted for old scripts; has no effect').hideHelp()]
}

/** Says once what to do instead. @param file the config file that still has the option */
export function warnOfObsolete({ values, output, terminal }: Invocation, file?: string): void {
  const { flag, key, advice } = OBSOLETE_OPTION
  const names = [values[key] && flag, obsoleteVariable(terminal.env), file !== undefined && `${key} in ${file}`].filter(
    (name) => typeof name === 'string' && name !== '',
  )
  if (names.length > 0) output.warning(`no effect here: ${names.join(', ')}; ${advice}`)
}
