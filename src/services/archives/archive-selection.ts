import { archiveFormatOf } from '../../domain/archive-format.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import {
  below,
  cleanVirtualPath,
  isInside,
  nameOf,
  parentOf,
  ROOT,
  type VirtualPath,
} from '../../domain/virtual-path.ts'
import type { ArchiveSelection } from '../../storage/storage.ts'
import type { FileAccess } from '../access.ts'

/** What a request says about the archive it wants. */
export interface ArchiveQuestion {
  /** Paths beneath the folder, separated by commas and percent-encoded once more; all of the folder when there are none. */
  readonly files?: string | undefined
  /** Word of a format; a zip unless said. */
  readonly algo?: string | undefined
}

export interface NamedSelection extends ArchiveSelection {
  /** What the archive is called, without its extension. */
  readonly name: string
}

const MOST_ITEMS = 1000

/**
 * Reads which archive is wanted. Old clients know how it is called and what its members are: a single folder gives its
 * content, several items are told from the deepest folder that holds all of them.
 *
 * @throws INVALID_INPUT
 */
export async function archiveSelection(
  files: FileAccess,
  folder: VirtualPath,
  { files: list = '', algo }: ArchiveQuestion,
): Promise<NamedSelection> {
  const format = archiveFormatOf(algo)
  const asked = list.split(',').filter((text) => text !== '')
  if (asked.length > MOST_ITEMS) fail('INVALID_INPUT', `an archive is made of at most ${MOST_ITEMS} items at once`)
  const items = withoutInner(asked.length === 0 ? [folder] : asked.map((text) => below(folder, itemPath(text))))
  const common = items.reduce(commonFolder)
  const name = `${asked.length > 1 ? '_' : ''}${nameOf(common) || files.rootName}`
  const base = items.length === 1 && (await isFile(files, common)) ? parentOf(common) : common
  // Of the others their own names are looked at, but a single folder is not named in its archive.
  return { format, base, items: items.filter((item) => files.allows(item)), name }
}

function itemPath(text: string): VirtualPath {
  try {
    return cleanVirtualPath(decodeURIComponent(text))
  } catch (error) {
    if (error instanceof URIError) fail('INVALID_INPUT', 'a name among the files has an invalid percent escape')
    throw error
  }
}

/** The same file twice would be two members of one name. */
function withoutInner(items: readonly VirtualPath[]): VirtualPath[] {
  const different = [...new Set(items)]
  return different.filter((item) => !different.some((other) => other !== item && isInside(other, item)))
}

function commonFolder(one: VirtualPath, other: VirtualPath): VirtualPath {
  let common = one
  while (common !== ROOT && !isInside(common, other)) common = parentOf(common)
  return common
}

async function isFile(files: FileAccess, path: VirtualPath): Promise<boolean> {
  if (path === ROOT || !files.allows(path)) return false
  try {
    return !(await files.scope.stat(path, { ...files.view('/'), sniff: false })).isDir
  } catch (error) {
    // What is not there, or not to be had, is left out.
    if (isFilemgrError(error, 'NOT_FOUND') || isFilemgrError(error, 'FORBIDDEN')) return false
    throw error
  }
}
