import { constants, lstatSync, type BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import type { FlatResource } from '../../../domain/resource.ts'
import { below, type VirtualPath } from '../../../domain/virtual-path.ts'
import type { Ground } from '../ground.ts'
import { HOLD_FOLDER, holdSync, Pin } from '../pin.ts'
import { createTimeFormat } from '../wire-stats.ts'
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

export interface WalkInput extends LentFolder, NameFilter {
  readonly pathPrefix: string
  readonly rulePath: VirtualPath
}

/** Entries of one part. */
const PART = 500
/** Each level holds a descriptor. */
const DEEPEST = 256

/** Parts are arrays of rows. */
export function* walkFolder(input: WalkInput): Generator<unknown, void, void> {
  const ground: Ground = { root: new Pin(input.root), links: input.links }
  const walker = new Walker(ground, createIsShown(input))
  yield* walker.visit(new Pin(input.folder), input.pathPrefix, input.rulePath, 0)
  yield walker.takeBatch()
}

class Walker {
  readonly #ground: Ground
  readonly #isShown: IsShown
  readonly #timeOf = createTimeFormat()
  #batch: FlatResource[] = []

  constructor(ground: Ground, isShown: IsShown) {
    this.#ground = ground
    this.#isShown = isShown
  }

  takeBatch(): FlatResource[] {
    return this.#batch.splice(0)
  }

  *visit(folder: Pin, pathPrefix: string, rulePath: VirtualPath, depth: number): Generator<unknown, void, void> {
    if (depth > DEEPEST) fail('INVALID_INPUT', `folders are nested deeper than ${DEEPEST}`)
    const names = readable(() => readNames(folder)) ?? []
    for (const name of names.filter((own) => this.#isShown(rulePath, own)).sort()) {
      const stats = lstatSync(pathOf(folder, name), { bigint: true, throwIfNoEntry: false })
      if (stats === undefined || (stats.isSymbolicLink() && !isListedLink(this.#ground, folder, name))) continue
      this.#batch.push(this.#row(pathPrefix, name, stats))
      if (this.#batch.length >= PART) yield this.takeBatch()
      if (!stats.isDirectory()) continue
      // Never through a link: a folder that was swapped for one since it was looked at is not entered.
      using child = readable(() => holdSync(pathOf(folder, name), HOLD_FOLDER | constants.O_NOFOLLOW))
      const text = textOf(name)
      if (child)
        yield* this.visit(child, `${pathPrefix}${text}/`, below(rulePath, `/${text}` as VirtualPath), depth + 1)
      else yield
    }
  }

  #row(pathPrefix: string, bytes: NameBytes, stats: BigIntStats): FlatResource {
    const name = textOf(bytes)
    const modified = this.#timeOf(stats.mtimeNs)
    return { path: pathPrefix + name, name, size: Number(stats.size), modified, isDir: stats.isDirectory() }
  }
}
