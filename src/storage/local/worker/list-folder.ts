import type { Resource } from '../../../domain/resource.ts'
import type { Sorting } from '../../../domain/sorting.ts'
import type { VirtualPath } from '../../../domain/virtual-path.ts'
import type { WorkerJob } from '../../../platform/worker-host.ts'
import type { LinkPolicy } from '../../storage.ts'
import { Pin } from '../pin.ts'
import { createIsShown, readNames, type NameBytes, type NameFilter } from './folder-names.ts'
import { orderOf } from './order.ts'
import { readRow } from './read-row.ts'
import { Rows } from './rows.ts'
import { createSubtitleFinder, type SubtitleFolder, type SubtitlesOf } from './subtitles.ts'
import { writeListing } from './write-rows.ts'

/** Descriptors of the main thread, lent until the job has answered, and what links may do. */
export interface LentFolder {
  readonly folder: number
  readonly root: number
  readonly links: LinkPolicy
}

export interface ListInput extends LentFolder, NameFilter {
  readonly sorting: Sorting
  readonly isSniffing: boolean
  /** What the items' paths begin with, the slash included. */
  readonly pathPrefix: string
  /** The folder's path as the rules see it. */
  readonly rulePath: VirtualPath
  readonly own: Resource
}

export interface RowsInput extends LentFolder {
  readonly isSniffing: boolean
  /** Joined by NUL: one text crosses threads much faster than many. */
  readonly names: string
  readonly rows: SharedArrayBuffer
}

/** The first part of a large folder's listing, instead of bytes: another worker may take a share of the rows. */
export interface HelpWanted {
  readonly helpWith: RowsInput
}

/** From here on a second worker is worth its start. */
const MANY = 5000

export function* listFolder(input: ListInput): Generator<unknown, void, void> {
  const { folder, root, links, isSniffing, pathPrefix, rulePath } = input
  const isShown = createIsShown(input)
  const names = readNames({ fd: folder }).filter((name) => isShown(rulePath, name))
  const rows = new Rows(names.length)
  if (names.length > MANY) {
    const helpWith = { folder, root, links, isSniffing, names: names.join('\0'), rows: rows.buffer }
    yield { helpWith } satisfies HelpWanted
  }
  yield* fill(rows, names, input)
  rows.waitForHelper()
  const order = orderOf(rows, names, input.sorting)
  const subtitlesOf = lazySubtitles({ folder: { fd: folder }, names, pathPrefix, rulePath, isShown })
  yield* writeListing({ rows, names, order, pathPrefix, sorting: input.sorting, own: input.own, subtitlesOf })
}

/** The share of a helper in a large folder: fills the rows of the names that it is given. */
export function* fillRows(input: RowsInput): Generator<undefined, void, void> {
  const names = input.names.split('\0')
  yield* fill(new Rows(names.length, input.rows), names, input)
}

function fill(
  rows: Rows,
  names: readonly NameBytes[],
  { folder, root, links, isSniffing }: LentFolder & { readonly isSniffing: boolean },
): Generator<undefined, void, void> {
  // Never disposed of: the descriptors belong to the main thread.
  const held = new Pin(folder)
  const ground = { root: new Pin(root), links }
  return rows.fill((index) => readRow(ground, held, names[index] ?? '', isSniffing))
}

function lazySubtitles(folder: SubtitleFolder): SubtitlesOf {
  let finder: SubtitlesOf | undefined
  return (video) => (finder ??= createSubtitleFinder(folder))(video)
}

/** The subtitles of one video. */
export function* findSubtitles(
  input: NameFilter & {
    readonly folder: number
    readonly name: string
    readonly pathPrefix: string
    readonly rulePath: VirtualPath
  },
): WorkerJob {
  yield
  const isShown = createIsShown(input)
  const folder = { fd: input.folder }
  const names = readNames(folder).filter((name) => isShown(input.rulePath, name))
  const { pathPrefix, rulePath } = input
  const subtitlesOf = createSubtitleFinder({ folder, names, pathPrefix, rulePath, isShown })
  return subtitlesOf(Buffer.from(input.name).toString('latin1'))
}
