import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { Selection } from './selection.ts'

export interface Summary {
  readonly folders: number
  readonly files: number
  /** Bytes of the files; folders have no size of their own. */
  readonly bytes: number
}

const NONE: Summary = { folders: 0, files: 0, bytes: 0 }

export function summarise(entries: Iterable<Resource>): Summary {
  let { folders, files, bytes } = NONE
  for (const entry of entries) {
    if (entry.isDir) folders += 1
    else {
      files += 1
      bytes += entry.size
    }
  }
  return { folders, files, bytes }
}

/** The summary of the selected entries. Looks only at the names that the selection holds, never at the whole folder. */
export function summariseSelection(
  selection: Selection,
  all: Summary,
  entryOf: (name: string) => Resource | undefined,
): Summary {
  const listed = summarise([...selection.names].map(entryOf).filter((entry) => entry !== undefined))
  if (!selection.inverted) return listed
  return { folders: all.folders - listed.folders, files: all.files - listed.files, bytes: all.bytes - listed.bytes }
}
