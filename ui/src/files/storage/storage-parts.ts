import type { FolderSizes } from '../../../../src/domain/files/resource.ts'
import { childOf, parentOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'

/** Something in a folder that takes room. */
export interface StoragePart {
  /** "rest": smaller files and folders together. */
  readonly kind: 'folder' | 'file' | 'rest'
  /** Of the folder itself for the rest. */
  readonly path: VirtualPath
  readonly name: string
  readonly bytes: number
  /** Of the rest, how many there are. */
  readonly count: number
}

/** Listed one by one, the largest first. */
const MAX_PARTS = 200

/**
 * What is directly in a folder, the largest first. Its files are among the hundred largest beneath it if they matter; the others
 * are only known together, as is all beyond the first two hundred.
 */
export function partsOf(folder: VirtualPath, { sizes, notable }: FolderSizes): readonly StoragePart[] {
  const folders = sizes.map(({ name, bytes }): StoragePart => {
    return { kind: 'folder', path: childOf(folder, name), name, bytes, count: 1 }
  })
  const files = (notable?.largest ?? [])
    .filter(({ path }) => parentOf(path as VirtualPath) === folder)
    .map(({ path, name, size }): StoragePart => {
      return { kind: 'file', path: path as VirtualPath, name, bytes: size, count: 1 }
    })
  const known = sumOf(files)
  const own = notable?.own ?? known
  const all = [...folders, ...files].toSorted((one, other) => other.bytes - one.bytes)
  const cut = all.slice(MAX_PARTS)
  const rest: StoragePart = {
    kind: 'rest',
    path: folder,
    name: '',
    bytes: Math.max(0, own.bytes - known.bytes) + sumOf(cut).bytes,
    count: Math.max(0, own.files - known.files) + cut.length,
  }
  return rest.count === 0 ? all : [...all.slice(0, MAX_PARTS), rest]
}

/** The parts with a place in the map: others would be too small to see. */
const MAX_SHOWN = 60

export function shownParts(parts: readonly StoragePart[]): readonly StoragePart[] {
  return parts
    .filter(({ bytes }) => bytes > 0)
    .toSorted((one, other) => other.bytes - one.bytes)
    .slice(0, MAX_SHOWN)
}

export function sumOf(parts: readonly StoragePart[]): { readonly bytes: number; readonly files: number } {
  return parts.reduce((sum, { bytes }) => ({ bytes: sum.bytes + bytes, files: sum.files + 1 }), { bytes: 0, files: 0 })
}
