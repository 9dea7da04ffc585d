import { resolve } from 'node:path'
import { defaultsOf } from './domain/schema/schema-tools.ts'
import { type OptionSource, ServerOptions } from './domain/server/server-options.ts'
import { withoutPassword } from './domain/server/store-url.ts'
import { type Environment, optionsFromEnvironment, SERVER_LEAVES } from './options/environment.ts'
import { absoluteRoot } from './platform/files/served-root.ts'

export type OptionSources = Readonly<Record<keyof ServerOptions, OptionSource>>

export interface ResolvedOptions {
  readonly options: ServerOptions
  readonly sources: OptionSources
}

export interface OptionInput {
  /** A relative root is resolved against it. */
  readonly workingFolder: string
  readonly flags?: Partial<ServerOptions>
  readonly environment?: Environment
  readonly configFile?: Partial<ServerOptions> | undefined
  readonly stored?: Readonly<Partial<ServerOptions>>
}

/**
 * The start-up values in force, each with its source: flag > environment > config file > store > default. Without the password
 * of the database, since the values are shown to users.
 *
 * @throws INVALID_INPUT naming the variable with an invalid value
 */
export function resolveOptions({
  workingFolder,
  flags,
  environment,
  configFile,
  stored,
}: OptionInput): ResolvedOptions {
  const layers: [OptionSource, Partial<ServerOptions>][] = [
    ['flag', flags ?? {}],
    ['environment', optionsFromEnvironment(environment ?? {})],
    ['config file', configFile ?? {}],
    ['store', withoutStartOnly(stored ?? {})],
    ['default', defaultsOf(ServerOptions)],
  ]
  const chosen = SERVER_LEAVES.map(({ key }) => {
    const name = key as keyof ServerOptions
    const [source, values] = layers.find(([, layer]) => layer[name] !== undefined) ?? ['default' as const, {}]
    return [name, source, values[name]] as const
  })
  const options = Object.fromEntries(chosen.map(([name, , value]) => [name, value])) as ServerOptions
  return {
    options: { ...options, store: withoutPassword(options.store), root: absoluteRoot(workingFolder, options.root) },
    sources: Object.fromEntries(chosen.map(([name, source]) => [name, source])) as OptionSources,
  }
}

/** URL of the database with its password; "" for a store on disk, undefined if not given. @throws INVALID_INPUT */
export function storeFrom({ flags, environment, configFile }: Omit<OptionInput, 'workingFolder'>): string | undefined {
  return flags?.store ?? optionsFromEnvironment(environment ?? {}).store ?? configFile?.store
}

const PATHS = ['cert', 'key', 'socket', 'log', 'accessLog', 'cacheDir'] as const

/** Makes paths absolute, so that the values are valid in any working folder. */
export function withAbsolutePaths(options: ServerOptions, workingFolder: string): ServerOptions {
  const absolute = PATHS.map((name) => {
    const isPath = !['', 'stdout', 'stderr'].includes(options[name])
    return [name, isPath ? resolve(workingFolder, options[name]) : options[name]]
  })
  return { ...options, ...(Object.fromEntries(absolute) as Pick<ServerOptions, (typeof PATHS)[number]>) }
}

/** Ignores stored options that the web settings may not change: write access to the store must not be enough to enable exec. */
function withoutStartOnly(stored: Readonly<Partial<ServerOptions>>): Partial<ServerOptions> {
  const startOnly = SERVER_LEAVES.filter((leaf) => leaf.annotation.web === false).map((leaf) => leaf.key)
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !startOnly.includes(name)))
}
