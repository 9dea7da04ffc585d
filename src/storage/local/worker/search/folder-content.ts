import { lstatSync, readdirSync } from 'node:fs'
import { errnoCode } from '../../os-error.ts'
import { pathOf, readNames, textOf, type NameBytes } from '../folder-names.ts'

/**
 * What a folder holds, by names alone. Packed: an object for each name would take ten times the memory of the name.
 * Names are joined by slashes, the one character that none contains.
 */
export interface FolderContent {
  /** All, in the order of the disk. */
  readonly names: NameBytes
  /** Those of folders, in byte order. */
  readonly folders: NameBytes
  /** Those of links. */
  readonly links: NameBytes
  /** The names as they are compared: as text, in lower case. The same string where that changes nothing. */
  readonly lower: string
}

/** What a search must know of a folder, in as few texts as possible: many of them are kept. */
export function readContent(folder: { readonly fd: number }): FolderContent {
  const entries = readEntries(folder)
  const names = entries.map(({ name }) => name).join('/')
  const namesOf = (some: readonly EntryOnDisk[]) => some.map(({ name }) => name).sort()
  return {
    names,
    folders: namesOf(entries.filter((entry) => entry.isDirectory())).join('/'),
    links: namesOf(entries.filter((entry) => entry.isSymbolicLink())).join('/'),
    lower: textOf(names).toLowerCase(),
  }
}

/** Neither folders to go into nor links to look at: all that is to be known of it is known. */
export function isPlain({ folders, links }: FolderContent): boolean {
  return folders === '' && links === ''
}

/** The names that one text of a folder holds, in the same order. */
export function split(names: NameBytes): NameBytes[] {
  return names === '' ? [] : names.split('/')
}

interface EntryOnDisk {
  readonly name: NameBytes
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** Names with what they are, as the folder itself tells it: no other look at each entry. */
function readEntries(folder: { readonly fd: number }): EntryOnDisk[] {
  try {
    return readdirSync(`/proc/self/fd/${folder.fd}`, { encoding: 'latin1', withFileTypes: true })
  } catch (error) {
    if (errnoCode(error) !== 'ENOENT') throw error
    // Some file systems do not tell it. Node looks at each entry then, and finds none whose name is not ASCII.
    return readNames(folder).flatMap((name) => {
      const stats = lstatSync(pathOf(folder, name), { throwIfNoEntry: false })
      if (stats === undefined) return []
      return [{ name, isDirectory: () => stats.isDirectory(), isSymbolicLink: () => stats.isSymbolicLink() }]
    })
  }
}
