import { type BigIntStats, constants, lstatSync } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import type { FlatResource } from '../../../domain/files/resource.ts'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import { createTimeFormat } from '../../../domain/files/file-time.ts'
import { borrow, type ScopeRoot } from '../scope/scope-root.ts'
import { Handle, HOLD_FOLDER } from '../system/handle.ts'
import type { ShownFolder } from './list-folder.ts'
import { isListedLink } from './read-row.ts'
import {
  createIsShown,
  holdSync,
  innerPaths,
  type IsShown,
  type NameBytes,
  pathOf,
  readable,
  readOpenNames,
  textOf,
} from './sync-calls.ts'

export interface WalkInput extends ShownFolder {
  readonly pathPrefix: string
  /** True for all depths, false for only what is directly in the folder. */
  readonly isDeep: boolean
}

/** Entries in one part. */
const PART = 500
/** Limited, because each level needs a descriptor. */
const MAX_DEPTH = 256

/** Parts are arrays of rows. */
export function* walkFolder(input: WalkInput): Generator<unknown, void, void> {
  const scopeRoot = borrow(input.scopeRoot)
  const walker = new Walker(scopeRoot, createIsShown(scopeRoot, input.hideDotfiles), input.isDeep)
  yield* walker.visit(new Handle(input.folder), input.pathPrefix, input.rulePaths, 0)
  const last = walker.takeBatch()
  if (last.length > 0) yield last
}

class Walker {
  readonly #scopeRoot: ScopeRoot
  readonly #isShown: IsShown
  readonly #isDeep: boolean
  readonly #timeOf = createTimeFormat()
  #batch: FlatResource[] = []

  constructor(scopeRoot: ScopeRoot, isShown: IsShown, isDeep: boolean) {
    this.#scopeRoot = scopeRoot
    this.#isShown = isShown
    this.#isDeep = isDeep
  }

  takeBatch(): FlatResource[] {
    return this.#batch.splice(0)
  }

  *visit(
    folder: Handle,
    pathPrefix: string,
    rulePaths: readonly VirtualPath[],
    depth: number,
  ): Generator<unknown, void, void> {
    if (depth > MAX_DEPTH) fail('INVALID_INPUT', `folders are nested deeper than ${MAX_DEPTH}`)
    const names = readable(() => readOpenNames(this.#scopeRoot, folder)) ?? []
    for (const name of names.filter((own) => this.#isShown(rulePaths, own)).sort()) {
      const stats = lstatSync(pathOf(folder, name), { bigint: true, throwIfNoEntry: false })
      if (stats === undefined || this.#scopeRoot.protectedPaths.has(stats)) continue
      if (stats.isSymbolicLink() && !isListedLink(this.#scopeRoot, folder, name)) continue
      this.#batch.push(this.#row(pathPrefix, name, stats))
      if (this.#batch.length >= PART) yield this.takeBatch()
      if (!stats.isDirectory() || !this.#isDeep) continue
      // O_NOFOLLOW, because the folder may have been swapped for a link since the lstat().
      using child = readable(() => holdSync(pathOf(folder, name), HOLD_FOLDER | constants.O_NOFOLLOW))
      if (child) yield* this.visit(child, `${pathPrefix}${textOf(name)}/`, innerPaths(rulePaths, name), depth + 1)
      else yield
    }
  }

  #row(pathPrefix: string, bytes: NameBytes, stats: BigIntStats): FlatResource {
    const name = textOf(bytes)
    const modified = this.#timeOf(stats.mtimeNs)
    return { path: pathPrefix + name, name, size: Number(stats.size), modified, isDir: stats.isDirectory() }
  }
}
