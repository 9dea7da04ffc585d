import { posix } from 'node:path'
import { fail } from '../../domain/errors.ts'
import {
  cleanVirtualPath,
  nameOf,
  type VirtualPath,
  below,
  isInside,
  parentOf,
  relativeTo,
  ROOT,
} from '../../domain/files/virtual-path.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'
import { booleanOf, listOf, type OldRecord, recordOf, textOf } from '../filebrowser/old-record.ts'
import type { FileRights } from './quantum-database.ts'
import { rightsOf } from './quantum-records.ts'

/** A folder that Quantum serves. */
export interface QuantumSource {
  /** On the disk of Quantum: its records name the source by it. */
  readonly path: VirtualPath
  /** On the disk here. */
  readonly location: VirtualPath
  readonly name: string
  /** Nobody has access except by an access rule. */
  readonly denyByDefault: boolean
  readonly isPrivate: boolean
  readonly readOnly: boolean
  /** The folder of a new user. */
  readonly userScope: VirtualPath
  readonly createUserDir: boolean
  /** The rights of new users; undefined if not configured. */
  readonly rights: FileRights | undefined
  /** Has rules that hide files from everyone. */
  readonly hidesFiles: boolean
}

const SECTIONS = ['server', 'http', 'auth', 'frontend', 'userDefaults', 'integrations'] as const
export type ConfigSection = (typeof SECTIONS)[number]

/** The config.yaml of FileBrowser Quantum. */
export interface QuantumConfig {
  /** The folder of the file, to which its paths are relative. */
  readonly folder: string
  readonly sources: readonly QuantumSource[]
  readonly sections: Readonly<Record<ConfigSection, OldRecord>>
}

/** True for a configuration of FileBrowser Quantum: no other program has a list of sources in `server`. */
export function isQuantumConfig(value: unknown): value is OldRecord {
  return isRecord(value) && isRecord(value['server']) && 'sources' in value['server']
}

/** @throws INVALID_INPUT if it has no usable source, or a field has another type */
export function quantumConfigOf(value: OldRecord, folder: string): QuantumConfig {
  const sections = Object.fromEntries(SECTIONS.map((name) => [name, recordOf(value, name)]))
  const list = listOf(recordOf(value, 'server'), 'sources').map((item) => {
    return isRecord(item) ? item : fail('INVALID_INPUT', 'server.sources must be a list of sources')
  })
  const sources = list
    .filter((item) => !booleanOf(recordOf(item, 'config'), 'disabled'))
    .map((item) => sourceOf(item, folder))
  if (sources.length === 0) fail('INVALID_INPUT', 'server.sources names no folder')
  return { folder, sources, sections: sections as QuantumConfig['sections'] }
}

const HIDING = ['rules', 'conditionals', 'exclude', 'include']

function sourceOf(item: OldRecord, folder: string): QuantumSource {
  const given = textOf(item, 'path')
  if (given === '') fail('INVALID_INPUT', 'a source in server.sources has no path')
  const path = cleanVirtualPath(posix.resolve(folder, given))
  const config = recordOf(item, 'config')
  return {
    path,
    location: path,
    name: textOf(item, 'name') || nameOf(path),
    denyByDefault: booleanOf(config, 'denyByDefault'),
    isPrivate: booleanOf(config, 'private'),
    readOnly: booleanOf(config, 'readOnly'),
    userScope: cleanVirtualPath(textOf(config, 'defaultUserScope')),
    createUserDir: booleanOf(config, 'createUserDir'),
    rights: 'defaultPermissions' in config ? rightsOf(recordOf(config, 'defaultPermissions')) : undefined,
    hidesFiles: HIDING.some((name) => hasContent(config[name])),
  }
}

function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isRecord(value) ? Object.values(value).some(hasContent) : value === true || typeof value === 'string'
}

/** Finds a source by its path or, as in early releases, by its name. */
export function sourceNamed(sources: readonly QuantumSource[], text: string): QuantumSource | undefined {
  const path = text.startsWith('/') ? cleanVirtualPath(text) : undefined
  return sources.find((source) => source.path === path) ?? sources.find(({ name }) => name === text)
}

/** The deepest folder that contains all of these; the root for none. */
function commonFolder([first = ROOT, ...others]: readonly VirtualPath[]): VirtualPath {
  let common = first
  for (const folder of others) while (!isInside(common, folder)) common = parentOf(common)
  return common
}

/** The folders above a path, from the root on, without the path itself. */
export function foldersAbove(path: VirtualPath): VirtualPath[] {
  if (path === ROOT) return []
  const parent = parentOf(path)
  return [...foldersAbove(parent), parent]
}

/**
 * The sources where they are on the disk of this machine.
 *
 * @param root what takes the place of the folder that contains all of them, such as a folder of the container they were served from
 */
export function movedSources(sources: readonly QuantumSource[], root: string | undefined): QuantumSource[] {
  const common = commonFolder(sources.map(({ path }) => path))
  const place = (path: VirtualPath) =>
    root === undefined ? path : below(cleanVirtualPath(root), relativeTo(common, path))
  return sources.map((source) => ({ ...source, location: place(source.path) }))
}
