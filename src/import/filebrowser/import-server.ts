import { isIP } from 'node:net'
import { isHostName } from '../../domain/server/addresses.ts'
import { parseDuration } from '../../domain/text/units.ts'
import { type Leaf, leaves } from '../../domain/schema/schema-tools.ts'
import { ServerOptions } from '../../domain/server/server-options.ts'
import { leafProblem, type ReportWriter } from './import-report.ts'
import { booleanOf, type OldRecord, textOf } from './old-record.ts'

export interface ServerImport {
  readonly server: OldRecord | undefined
  /** Resolves a path relative to the folder in which the old daemon was started. */
  readonly absolute: (path: string) => string
  readonly report: ReportWriter
}

type Values = Partial<ServerOptions>

/** Start-up values that differ from our defaults. */
export function importServer({ server, absolute, report }: ServerImport): Values {
  if (server === undefined) return {}
  const text = (name: string) => textOf(server, name)
  const path = (name: string) => (text(name) === '' ? '' : absolute(text(name)))
  const log = text('log')
  const values: Values = {
    root: absolute(text('root') === '' ? '.' : text('root')),
    address: text('address'),
    port: portOf(server['port']),
    baseURL: text('baseurl').replace(/\/+$/, ''),
    publicUrl: text('publicurl'),
    socket: path('socket'),
    // File Browser logs to stdout by default; ours is for scripts, which read the address from its first line.
    log: log === 'stdout' ? 'stderr' : log === 'stderr' || log === '' ? log : absolute(log),
    tokenExpirationTime: text('tokenexpirationtime'),
    followExternalSymlinks: booleanOf(server, 'followexternalsymlinks'),
    disableThumbnails: isOff(server, 'enablethumbnails'),
    disablePreviewResize: isOff(server, 'resizepreview'),
    disableTypeDetectionByHeader: isOff(server, 'typedetectionbyheader'),
    disableImageResolutionCalc: isOff(server, 'imageresolutioncalculation', 'imageresolutioncal'),
    ...tlsOf(path('tlscert'), path('tlskey'), report),
  }
  reportServer(server, values, report)
  return withoutDefaults(values, report)
}

function portOf(value: unknown): number {
  return typeof value === 'number' ? value : Number(value === undefined || value === '' ? 8080 : value)
}

/** Older releases do not save switches that they lack, and behave as if those were on. */
function isOff(server: OldRecord, ...names: string[]): boolean {
  const name = names.find((candidate) => candidate in server)
  return name !== undefined && !booleanOf(server, name)
}

/** With a certificate but no key, or the reverse, File Browser silently serves without TLS. */
function tlsOf(cert: string, key: string, report: ReportWriter): Pick<Values, 'cert' | 'key'> {
  if ((cert === '') === (key === '')) return { cert, key }
  report.add('dropped', 'TLS', `only the certificate or only the key is set (${cert}${key}), so TLS was never used`)
  return { cert: '', key: '' }
}

/** Leaves out defaults, and invalid values, which are reported. */
function withoutDefaults(values: Values, report: ReportWriter): Values {
  const kept: Record<string, unknown> = {}
  for (const leaf of leaves(ServerOptions)) {
    const value = values[leaf.key as keyof ServerOptions]
    const standard = leaf.schema.default
    if (value === undefined || value === standard || (value === '' && leaf.key !== 'log')) continue
    const problem = problemOf(leaf, value)
    if (problem === undefined) kept[leaf.key] = value
    else report.add('changed', `server ${leaf.key}`, `${problem}; now ${String(standard)}`)
  }
  return kept
}

function problemOf(leaf: Leaf, value: unknown): string | undefined {
  if (leaf.key === 'address' && isIP(String(value)) === 0 && !isHostName(String(value)))
    return `"${String(value)}" is neither an IP address nor a host name`
  if (leaf.key !== 'tokenExpirationTime' || (parseDuration(String(value)) ?? 0) >= 1000) return leafProblem(leaf, value)
  return `"${String(value)}" is not a duration of at least one second`
}

function reportServer(server: OldRecord, { root = '', followExternalSymlinks }: Values, report: ReportWriter): void {
  const old = textOf(server, 'root')
  if (old !== root) report.add('changed', 'server root', `"${old}" becomes ${root}; choose another folder with --root`)
  if (booleanOf(server, 'enableexec')) {
    report.add('dropped', 'server enableExec', 'terminal and hooks are off; enable them with serve --enable-exec')
  }
  if (followExternalSymlinks === true) {
    report.add('lookAt', 'server followExternalSymlinks', 'links can still lead users out of their folders')
  }
}
