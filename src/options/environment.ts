import { upperSnakeCase } from '../domain/option-names.ts'
import { parseValue } from '../domain/parse-value.ts'
import { setAt } from '../domain/schema-tools.ts'
import type { ServerOptions } from '../domain/server-options.ts'
import { SERVER_LEAVES } from './original-names.ts'

/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** FILEMGR_<NAME>, else FB_<NAME> of File Browser. An empty variable counts as not set. */
export function environmentValue(
  environment: Environment,
  name: string,
): { variable: string; text: string } | undefined {
  for (const variable of [`FILEMGR_${name}`, `FB_${name}`]) {
    const text = environment[variable]
    if (text !== undefined && text !== '') return { variable, text }
  }
  return undefined
}

/** The start-up values that the environment holds. @throws INVALID_INPUT naming the variable */
export function optionsFromEnvironment(environment: Environment): Partial<ServerOptions> {
  const found: Record<string, unknown> = {}
  for (const leaf of SERVER_LEAVES) {
    const value =
      environmentValue(environment, upperSnakeCase(leaf.key)) ??
      environmentValue(environment, upperSnakeCase(leaf.key).replaceAll('_', ''))
    if (value !== undefined) setAt(found, leaf.path, parseValue(leaf, value.text, value.variable))
  }
  const disableExec = environment['FB_DISABLE_EXEC']
  if (found['enableExec'] === undefined && disableExec === 'false') found['enableExec'] = true
  return found
}
