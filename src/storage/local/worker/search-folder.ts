import { constants, lstatSync, readdirSync } from 'node:fs'
import { compileSearchQuery, type SearchHit, type SearchQuery } from '../../../domain/search-query.ts'
import { below, type VirtualPath } from '../../../domain/virtual-path.ts'
import type { Ground } from '../ground.ts'
import { errorWord } from '../os-error.ts'
import { isOwnName } from '../own-names.ts'
import { HOLD_FOLDER, holdSync, Pin } from '../pin.ts'
import {
  createIsShown,
  pathOf,
  readNames,
  textOf,
  type IsShown,
  type NameBytes,
  type NameFilter,
} from './folder-names.ts'
import type { LentFolder } from './list-folder.ts'
import { isListedLink } from './read-row.ts'
import { readable } from './readable.ts'

export interface SearchInput extends LentFolder, NameFilter {
  readonly query: SearchQuery
  /** The folder's path as the rules see it. */
  readonly rulePath: VirtualPath
}

interface NamedEntry {
  readonly name: NameBytes
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** Hits of one part. */
const PART = 500
/** Milliseconds that a hit waits for others: each is wanted soon, and a message for each would take longer than the search. */
const GATHERING = 20
/** Each level holds a descriptor. */
const DEEPEST = 256

/** Parts are arrays of hits, in the order of a walk. */
export function* searchFolder(input: SearchInput): Generator<unknown, void, void> {
  const ground: Ground = { root: new Pin(input.root), links: input.links }
  const searcher = new Searcher(ground, compileSearchQuery(input.query), createIsShown(input))
  yield* searcher.visit(new Pin(input.folder), '', input.rulePath, 0)
  yield searcher.takeHits()
}

class Searcher {
  readonly #ground: Ground
  readonly #fits: (name: string) => boolean
  readonly #isShown: IsShown
  #hits: SearchHit[] = []
  #taken = 0

  constructor(ground: Ground, fits: (name: string) => boolean, isShown: IsShown) {
    this.#ground = ground
    this.#fits = fits
    this.#isShown = isShown
  }

  takeHits(): SearchHit[] | undefined {
    this.#taken = performance.now()
    return this.#hits.length === 0 ? undefined : this.#hits.splice(0)
  }

  /** Folders that are not shown are searched as well: each thing in them is asked about by itself, as when it is opened. */
  *visit(folder: Pin, pathPrefix: string, rulePath: VirtualPath, depth: number): Generator<unknown, void, void> {
    const entries = readable(() => readEntries(folder)) ?? []
    const wanted = entries.filter((entry) => entry.isDirectory() || this.#fits(textOf(entry.name)))
    for (const entry of wanted.sort(byName)) {
      const { name } = entry
      if (isOwnName(name)) continue
      const text = textOf(name)
      const isDir = entry.isDirectory()
      if (this.#isHit(folder, rulePath, entry)) this.#hits.push({ dir: isDir, path: pathPrefix + text })
      yield this.#isTime() ? this.takeHits() : undefined
      if (!isDir || depth === DEEPEST) continue
      // Never through a link: a folder that was swapped for one since its name was read is not entered.
      using child = readable(() => holdSync(pathOf(folder, name), HOLD_FOLDER | constants.O_NOFOLLOW))
      if (child)
        yield* this.visit(child, `${pathPrefix}${text}/`, below(rulePath, `/${text}` as VirtualPath), depth + 1)
    }
  }

  #isHit(folder: Pin, rulePath: VirtualPath, entry: NamedEntry): boolean {
    if (!this.#fits(textOf(entry.name)) || !this.#isShown(rulePath, entry.name)) return false
    return !entry.isSymbolicLink() || isListedLink(this.#ground, folder, entry.name)
  }

  #isTime(): boolean {
    return this.#hits.length >= PART || performance.now() - this.#taken >= GATHERING
  }
}

function byName(one: NamedEntry, other: NamedEntry): number {
  return one.name < other.name ? -1 : 1
}

/** Names with what they are, as the folder itself tells it: no other look at each entry. */
function readEntries(folder: Pin): NamedEntry[] {
  try {
    return readdirSync(`/proc/self/fd/${folder.fd}`, { encoding: 'latin1', withFileTypes: true })
  } catch (error) {
    if (errorWord(error) !== 'ENOENT') throw error
    // Some file systems do not tell it. Node looks at each entry then, and finds none whose name is not ASCII.
    return readNames(folder).flatMap((name) => {
      const stats = lstatSync(pathOf(folder, name), { throwIfNoEntry: false })
      if (stats === undefined) return []
      return [{ name, isDirectory: () => stats.isDirectory(), isSymbolicLink: () => stats.isSymbolicLink() }]
    })
  }
}
