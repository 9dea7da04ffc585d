import { dirname } from 'node:path'
import { fail } from '../../domain/errors.ts'
import { auditFilesIn } from '../../domain/server/audit-target.ts'
import { isBucketUrl } from '../../domain/server/addresses.ts'
import { formatValue } from '../../domain/schema/parse-value.ts'
import { defaultsOf, leaves } from '../../domain/schema/schema-tools.ts'
import { ServerOptions } from '../../domain/server/server-options.ts'
import { kebabCase } from '../../domain/text/option-names.ts'
import { withAbsolutePaths } from '../../options.ts'

export interface UnitInput {
  /** The account that runs it. */
  readonly account: string
  /** The launcher of this installation. */
  readonly program: string
  readonly dataFolder: string
  readonly configFile?: string | undefined
  readonly root: string
  /** The server options of the command line; relative paths start at `workingFolder`. */
  readonly given: Partial<ServerOptions>
  readonly workingFolder: string
}

type Values = Readonly<Record<string, readonly string[]>>

/**
 * Fills in the unit of docs/deploy for one installation.
 *
 * @throws INVALID_INPUT for an account or a path with a character that could add a line to the unit
 */
export function unitText(template: string, input: UnitInput): string {
  const { account, given, root, dataFolder, program } = input
  if (!/^[a-z_][a-z0-9_-]{0,31}$/i.test(account)) fail('INVALID_INPUT', `"${account}" is not a valid account name`)
  const options = withAbsolutePaths({ ...defaultsOf(ServerOptions), ...given }, input.workingFolder)
  const isPrivileged = options.socket === '' && options.port > 0 && options.port < 1024
  const isBelow = (folders: RegExp) => [program, dataFolder, root].some((path) => folders.test(`${path}/`))
  return withValues(template, {
    User: [account],
    ExecStart: [commandLine(input, options).map(quoted).join(' ')],
    StateDirectory: [],
    CacheDirectory: [],
    ...folderValues(dataFolder, root, options),
    ...(isPrivileged && { CapabilityBoundingSet: [BIND], AmbientCapabilities: [BIND] }),
    // The folders in ReadWritePaths stay writable.
    ...(isBelow(/^\/(home|root|run\/user)\//) && { ProtectHome: ['read-only'] }),
    ...(isBelow(/^\/(var\/)?tmp\//) && { PrivateTmp: ['no'] }),
  })
}

const BIND = 'CAP_NET_BIND_SERVICE'

function commandLine({ program, dataFolder, configFile, root, given }: UnitInput, options: ServerOptions): string[] {
  const flags = leaves(ServerOptions).flatMap((leaf) => {
    const key = leaf.key as keyof ServerOptions
    if (given[key] === undefined || key === 'root') return []
    return [`--${kebabCase(key)}=${formatValue(leaf, options[key])}`]
  })
  const config = configFile === undefined ? [] : ['--config', configFile]
  return [program, '--data', dataFolder, ...config, 'serve', root, ...flags]
}

/** Folders that systemd creates and gives to the account. */
const MANAGED_FOLDERS = [
  ['/var/lib/', 'StateDirectory'],
  ['/var/cache/', 'CacheDirectory'],
  ['/var/log/', 'LogsDirectory'],
  ['/run/', 'RuntimeDirectory'],
] as const

/** All folders that the daemon may write to. The served folder keeps its owner. */
function folderValues(dataFolder: string, root: string, options: ServerOptions): Values {
  const values: Record<string, string[]> = { ReadWritePaths: isBucketUrl(root) ? [] : [pathText(root)] }
  const { log, accessLog, auditExport, socket, cacheDir } = options
  const files = [log, accessLog, ...auditFilesIn(auditExport), socket].filter((path) => path.startsWith('/'))
  const folders = [dataFolder, ...files.map((path) => dirname(path)), cacheDir, '/var/cache/filemgr']
  for (const folder of new Set(folders.filter((path) => path !== ''))) {
    const [parent, key] = MANAGED_FOLDERS.find(([prefix]) => folder.startsWith(prefix)) ?? ['', 'ReadWritePaths']
    ;(values[key] ??= []).push(pathText(folder.slice(parent.length)))
  }
  return Object.fromEntries(Object.entries(values).map(([key, paths]) => [key, [paths.join(' ')]]))
}

/** Replaces the values of a unit. Values that the template lacks go before StateDirectory. */
function withValues(template: string, values: Values): string {
  const keyOf = (line: string) => /^([A-Za-z]+)=/.exec(line)?.[1] ?? ''
  const lines = template.split('\n')
  const present = new Set(lines.map(keyOf))
  const written = (key: string) => (values[key] ?? []).map((value) => `${key}=${value}`)
  const missing = Object.keys(values).filter((key) => !present.has(key))
  return lines
    .flatMap((line) => {
      const key = keyOf(line)
      const own = values[key] === undefined ? [line] : written(key)
      return key === 'StateDirectory' ? [...own, ...missing.flatMap(written)] : own
    })
    .join('\n')
}

/** One word of ExecStart, in which "$" and "%" insert values. */
function quoted(word: string): string {
  const text = pathText(word).replaceAll('$', '$$$$')
  return text.startsWith('"') || !text.includes(';') ? text : `"${text}"`
}

/** One path in a list, in which "%" inserts a value. */
function pathText(path: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  if (/[\u0000-\u001f\u007f]/.test(path)) fail('INVALID_INPUT', 'a service cannot have paths with control characters')
  const text = path.replaceAll('%', '%%')
  return /[\s"'\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text
}
