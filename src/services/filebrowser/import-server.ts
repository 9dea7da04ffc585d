import { parseDuration } from '../../domain/text/units.ts'
import { type Leaf, leaves } from '../../domain/schema/schema-tools.ts'
import { ServerOptions } from '../../domain/settings/server-options.ts'
import { leafProblem, type ReportWriter } from './import-report.ts'
import { booleanOf, type OldRecord, textOf } from './old-record.ts'

export interface ServerImport {
  readonly server: OldRecord | undefined
  /** Makes a path absolute that may be relative to the folder in which the old daemon was started. */
  readonly absolute: (path: string) => string
  readonly report: ReportWriter
}

type Values = Partial<ServerOptions>

/** Start-up values that differ from what is the default here. */
export function importServer({ server, absolute, report }: ServerImport): Values {
  if (server === undefined) return {}
  const text = (name: string) => textOf(server, name)
  const place = (name: string) => (text(name) === '' ? '' : absolute(text(name)))
  const log = text('log')
  const wanted: Values = {
    root: absolute(text('root') === '' ? '.' : text('root')),
    address: text('address'),
    port: portOf(server['port']),
    baseURL: text('baseurl').replace(/\/+$/, ''),
    socket: place('socket'),
    // File Browser's default; here the first line of stdout is for scripts.
    log: log === 'stdout' ? 'stderr' : log === 'stderr' || log === '' ? log : absolute(log),
    tokenExpirationTime: text('tokenexpirationtime'),
    followExternalSymlinks: booleanOf(server, 'followexternalsymlinks'),
    disableThumbnails: isOff(server, 'enablethumbnails'),
    disablePreviewResize: isOff(server, 'resizepreview'),
    disableTypeDetectionByHeader: isOff(server, 'typedetectionbyheader'),
    disableImageResolutionCalc: isOff(server, 'imageresolutioncalculation', 'imageresolutioncal'),
    ...tlsOf(place('tlscert'), place('tlskey'), report),
  }
  noteServer(server, wanted, report)
  return keptOf(wanted, report)
}

function portOf(value: unknown): number {
  return typeof value === 'number' ? value : Number(value === undefined || value === '' ? 8080 : value)
}

/** Switches that older releases did not know were on. */
function isOff(server: OldRecord, ...names: string[]): boolean {
  const name = names.find((candidate) => candidate in server)
  return name !== undefined && !booleanOf(server, name)
}

/** A certificate without its key made File Browser serve without TLS, without a word. */
function tlsOf(cert: string, key: string, report: ReportWriter): Pick<Values, 'cert' | 'key'> {
  if ((cert === '') === (key === '')) return { cert, key }
  report.add('dropped', 'TLS', `only one of certificate and key is named (${cert}${key}), so TLS was never on`)
  return { cert: '', key: '' }
}

/** What cannot work is left at its default, and what is the default is not saved. */
function keptOf(wanted: Values, report: ReportWriter): Values {
  const kept: Record<string, unknown> = {}
  for (const leaf of leaves(ServerOptions)) {
    const value = wanted[leaf.key as keyof ServerOptions]
    const standard = leaf.schema.default
    if (value === undefined || value === standard || (value === '' && leaf.key !== 'log')) continue
    const problem = problemOf(leaf, value)
    if (problem === undefined) kept[leaf.key] = value
    else report.add('changed', `server ${leaf.key}`, `${problem}; it is ${String(standard)} now`)
  }
  return kept
}

function problemOf(leaf: Leaf, value: unknown): string | undefined {
  if (leaf.key !== 'tokenExpirationTime' || (parseDuration(String(value)) ?? 0) >= 1000) return leafProblem(leaf, value)
  return `"${String(value)}" is no duration of a second or more`
}

function noteServer(server: OldRecord, { root = '', followExternalSymlinks }: Values, report: ReportWriter): void {
  const old = textOf(server, 'root')
  if (old !== root) report.add('changed', 'server root', `"${old}" is ${root} now; --root names another folder`)
  if (booleanOf(server, 'enableexec')) {
    report.add('dropped', 'server enableExec', 'terminal and hooks are off; switch them on with serve --enable-exec')
  }
  if (followExternalSymlinks === true) {
    report.add('lookAt', 'server followExternalSymlinks', 'links may lead users out of their folders, as before')
  }
}
