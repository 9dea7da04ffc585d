import { constants, fstatSync, lstatSync } from 'node:fs'
import { foldForSearch, isAscii } from '../../../domain/text/fold.ts'
import {
  compileSearchQuery,
  foldOfTerm,
  type HitDetails,
  type SearchHit,
  type SearchQuery,
} from '../../../domain/files/search-query.ts'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import { createTimeFormat } from '../../../domain/files/file-time.ts'
import { isReservedName } from '../../reserved-names.ts'
import { borrow, type ScopeRoot } from '../scope/scope-root.ts'
import { Handle, HOLD_FOLDER } from '../system/handle.ts'
import type { ShownFolder } from './list-folder.ts'
import { type FolderContent, isPlain, type NameIndex, split } from './name-index.ts'
import { isListedLink, readRow } from './read-row.ts'
import {
  createIsShown,
  holdSync,
  innerPaths,
  type IsShown,
  type NameBytes,
  pathOf,
  readable,
  textOf,
} from './sync-calls.ts'

export interface SearchInput extends ShownFolder {
  readonly query: SearchQuery
  readonly details?: boolean
  readonly forgetsNames?: boolean
}

interface NamedEntry {
  readonly name: NameBytes
  readonly isFolder: boolean
  readonly isLink: boolean
}

/** The progress of a search. */
interface Position {
  readonly pathPrefix: string
  readonly rulePaths: readonly VirtualPath[]
  readonly depth: number
}

/** Hits in one part. */
const PART = 500
/** Milliseconds that a hit waits for others, because one message for each hit would take longer than the search itself. */
const BATCH_DELAY = 20
/** Limited, because each level needs a descriptor. */
const MAX_DEPTH = 256

/** Parts are arrays of hits, in the order of a walk. The first is empty, and says that the search has begun. */
export function* searchFolder(input: SearchInput, index: NameIndex): Generator<unknown, void, void> {
  yield []
  const searcher = new Searcher(input, index)
  yield* searcher.visit(new Handle(input.folder), { pathPrefix: '', rulePaths: input.rulePaths, depth: 0 })
  yield searcher.takeHits()
}

class Searcher {
  readonly #scopeRoot: ScopeRoot
  readonly #index: NameIndex
  readonly #mayMatch: (content: FolderContent) => boolean
  readonly #matches: (name: string) => boolean
  readonly #isShown: IsShown
  readonly #details: boolean
  readonly #timeOf = createTimeFormat()
  #hits: SearchHit[] = []
  #lastBatchAt = 0

  constructor(input: SearchInput, index: NameIndex) {
    this.#scopeRoot = borrow(input.scopeRoot)
    this.#index = index
    this.#mayMatch = createMayMatch(input.query)
    this.#matches = compileSearchQuery(input.query)
    this.#isShown = createIsShown(this.#scopeRoot, input.hideDotfiles)
    this.#details = input.details ?? false
  }

  takeHits(): SearchHit[] | undefined {
    this.#lastBatchAt = performance.now()
    return this.#hits.length === 0 ? undefined : this.#hits.splice(0)
  }

  /** Searches invisible folders too, because rules may allow entries in them: each hit is checked by itself. */
  *visit(folder: Handle, position: Position): Generator<unknown, void, void> {
    const stats = fstatSync(folder.fd, { bigint: true })
    if (this.#scopeRoot.protectedPaths.has(stats)) return
    const known = this.#index.known(stats)
    const content = known ?? readable(() => this.#index.read(folder, stats))
    if (content === undefined) return
    const hidden = this.#scopeRoot.protectedPaths.namesIn(stats)
    for (const entry of this.#candidates(content)) {
      if (hidden.has(entry.name)) continue
      yield* this.#visit(entry, folder, position)
      if (!entry.isFolder || position.depth === MAX_DEPTH) continue
      const inner = inside(position, entry.name)
      if (!known || !(yield* this.#searchUnopened(folder, entry.name, inner)))
        yield* this.#enter(folder, entry.name, inner)
    }
  }

  *#enter(parent: Handle, name: NameBytes, position: Position): Generator<unknown, void, void> {
    // O_NOFOLLOW, because the folder may have been swapped for a link since its name was read.
    using child = readable(() => holdSync(pathOf(parent, name), HOLD_FOLDER | constants.O_NOFOLLOW))
    if (child) yield* this.visit(child, position)
  }

  /**
   * Searches a known folder of plain files without opening it: lstat() is enough to see that it has not changed.
   *
   * @returns false if the folder must be opened
   */
  *#searchUnopened(parent: Handle, name: NameBytes, position: Position): Generator<unknown, boolean, void> {
    const path = pathOf(parent, name)
    const stats = readable(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }))
    const content = stats?.isDirectory() === true ? this.#index.known(stats) : undefined
    if (stats === undefined || content === undefined || !isPlain(content)) return false
    const { protectedPaths } = this.#scopeRoot
    // visit() leaves out protected names.
    if (protectedPaths.has(stats) || protectedPaths.namesIn(stats).size > 0) return false
    // Reading the details of hits needs the open folder.
    if (this.#details && this.#mayMatch(content)) return false
    if (this.#mayMatch(content))
      for (const entry of this.#candidates(content)) yield* this.#visit(entry, undefined, position)
    return true
  }

  *#visit(
    entry: NamedEntry,
    folder: Handle | undefined,
    { rulePaths, pathPrefix }: Position,
  ): Generator<unknown, void, void> {
    if (this.#isHit(folder, rulePaths, entry)) {
      const hit = { dir: entry.isFolder, path: pathPrefix + textOf(entry.name) }
      const details = this.#details && folder ? this.#detailsOf(folder, entry) : undefined
      this.#hits.push(details ? { ...hit, details } : hit)
    }
    yield this.#isTime() ? this.takeHits() : undefined
  }

  /** Subfolders and matching names, in byte order. Most folders have no match: then only the subfolders are split. */
  #candidates(content: FolderContent): NamedEntry[] {
    const folders = split(content.folders)
    const matching = this.#mayMatch(content) ? split(content.names).filter((name) => this.#matches(textOf(name))) : []
    const [isFolder, isLink] = [new Set(folders), new Set(split(content.links))]
    const names = matching.length === 0 ? folders : [...new Set([...folders, ...matching])].sort()
    const shown = names.filter((name) => !isReservedName(name))
    return shown.map((name) => ({ name, isFolder: isFolder.has(name), isLink: isLink.has(name) }))
  }

  /** @param folder undefined only for plain files */
  #isHit(
    folder: Handle | undefined,
    rulePaths: readonly VirtualPath[],
    { name, isFolder, isLink }: NamedEntry,
  ): boolean {
    if (!this.#matches(textOf(name)) || !this.#isShown(rulePaths, name)) return false
    if (isFolder && folder !== undefined && this.#isProtected(folder, name)) return false
    return !isLink || (folder !== undefined && isListedLink(this.#scopeRoot, folder, name))
  }

  #isProtected(folder: Handle, name: NameBytes): boolean {
    const stats = readable(() => lstatSync(pathOf(folder, name), { bigint: true, throwIfNoEntry: false }))
    return stats !== undefined && this.#scopeRoot.protectedPaths.has(stats)
  }

  /** Undefined if the entry no longer exists. */
  #detailsOf(folder: Handle, { name }: NamedEntry): HitDetails | undefined {
    const row = readable(() => readRow(this.#scopeRoot, folder, name, false))
    return row && { size: row.size, modified: this.#timeOf(row.modified), type: row.type }
  }

  #isTime(): boolean {
    return this.#hits.length >= PART || performance.now() - this.#lastBatchAt >= BATCH_DELAY
  }
}

function inside({ pathPrefix, rulePaths, depth }: Position, name: NameBytes): Position {
  return { pathPrefix: `${pathPrefix}${textOf(name)}/`, rulePaths: innerPaths(rulePaths, name), depth: depth + 1 }
}

/**
 * A quick test that rules out folders without a match, and never misses one: where letters are plain, whatever matches in any
 * other way matches without regard to case and accents too.
 */
function createMayMatch(query: SearchQuery): (content: FolderContent) => boolean {
  const { terms } = query
  const isSure = terms.length > 0 && terms.every((term) => foldOfTerm(term, query) === foldForSearch || isAscii(term))
  if (!isSure) return () => true
  const folded = terms.map(foldForSearch)
  return (content) => folded.some((term) => content.folded.includes(term))
}
