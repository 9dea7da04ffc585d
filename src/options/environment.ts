import { foldOldName, foldName, upperSnakeCase } from '../domain/text/option-names.ts'
import { parseValue } from '../domain/schema/parse-value.ts'
import { type Leaf, leaves, setAt } from '../domain/schema/schema-tools.ts'
import { ServerOptions } from '../domain/server/server-options.ts'

/** The variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The value of FILEMGR_<NAME>, or of File Browser's FB_<NAME>. An empty variable counts as unset. */
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

/** Start-up values from the environment. @throws INVALID_INPUT naming the variable */
export function optionsFromEnvironment(environment: Environment): Partial<ServerOptions> {
  const found: Record<string, unknown> = {}
  for (const leaf of SERVER_LEAVES) {
    const names = variablesOf(leaf.key)
    const value = names.map((name) => environmentValue(environment, name)).find((found) => found !== undefined)
    if (value !== undefined) setAt(found, leaf.path, parseValue(leaf, value.text, value.variable))
  }
  const disableExec = environment['FB_DISABLE_EXEC']
  if (found['enableExec'] === undefined && /^(false|f|0|no|off)$/i.test(disableExec ?? '')) found['enableExec'] = true
  return found
}

/** File Browser's former names of variables. */
const FORMER: Readonly<Partial<Record<string, string>>> = { imageProcessors: 'IMG_PROCESSORS' }

/** The names of a variable without prefix, in order of precedence. */
function variablesOf(key: string): string[] {
  const name = upperSnakeCase(key)
  return [name, name.replaceAll('_', ''), ...(FORMER[key] === undefined ? [] : [FORMER[key]])]
}

/** Variables that are not server options. */
const OTHER_VARIABLES = ['DATA', 'CONFIG', 'USERNAME', 'PASSWORD', 'PASSWORD_FILE', 'URL', 'TOKEN', 'MEMBER']

/** Variables in the environment that start with FILEMGR_ but are unknown: most likely misspelt. */
export function unknownVariables(environment: Environment): string[] {
  const names = SERVER_LEAVES.map(({ key }) => upperSnakeCase(key))
  const known = new Set([...OTHER_VARIABLES, ...names, ...names.map((name) => name.replaceAll('_', ''))])
  return Object.keys(environment).filter((name) => name.startsWith('FILEMGR_') && !known.has(name.slice(8)))
}

/** File Browser's names for options that have the opposite meaning here; folded. */
const INVERTED: Readonly<Record<string, keyof ServerOptions>> = { disableexec: 'enableExec' }

/** File Browser's option that has no counterpart here. */
export const OBSOLETE_OPTION = {
  key: 'redisCacheUrl',
  flag: '--redis-cache-url',
  advice: 'several daemons share unfinished uploads through PostgreSQL: --store postgres://…',
} as const

/** True for the obsolete option in any spelling. */
export function isObsolete(name: string): boolean {
  return foldName(name) === foldName(OBSOLETE_OPTION.key)
}

/** The variable that sets the obsolete option, if any. */
export function obsoleteVariable(environment: Environment): string | undefined {
  const variable = `FB_${upperSnakeCase(OBSOLETE_OPTION.key)}`
  return environment[variable] ? variable : undefined
}

export const SERVER_LEAVES: readonly Leaf[] = leaves(ServerOptions)

/** Finds an option by its name in any spelling; `inverted` for one that says the opposite: `disableExec=false` is `enableExec=true`. */
export function findOption(name: string) {
  const folded = foldOldName(name)
  const key = INVERTED[folded]
  const leaf = SERVER_LEAVES.find((candidate) =>
    key === undefined ? foldName(candidate.key) === folded : candidate.key === key,
  )
  return leaf && { leaf, inverted: key !== undefined }
}
