import type { Resource } from '../../../domain/files/resource.ts'
import type { Sorting } from '../../../domain/files/sorting.ts'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { Lend, WorkerJob } from '../../../platform/workers/worker-host.ts'
import { borrow, type LentScopeRoot, type ScopeRoot } from '../scope/scope-root.ts'
import { Handle, latin1Of } from '../system/handle.ts'
import { readRow } from './read-row.ts'
import { Rows } from './rows.ts'
import { createSubtitleFinder, type SubtitleFolder, type SubtitlesOf } from './subtitles.ts'
import { createIsShown, type NameBytes, readOpenNames } from './sync-calls.ts'
import { orderOf, writeListing } from './write-rows.ts'

interface LentFolder {
  /** Descriptor of the main thread, open until the job ends. */
  readonly folder: number
  readonly scopeRoot: LentScopeRoot
}

/** The entries of a folder that the user may see. */
export interface ShownFolder extends LentFolder {
  /** The folder's paths as the rules see them. */
  readonly rulePaths: readonly VirtualPath[]
  readonly hideDotfiles: boolean
}

export interface ListInput extends ShownFolder {
  readonly sorting: Sorting
  readonly isSniffing: boolean
  /** Prefix for the paths of the items, ending in a slash. */
  readonly pathPrefix: string
  readonly own: Resource
}

export interface RowsInput extends LentFolder {
  readonly isSniffing: boolean
  /** Joined by NUL, in shared memory: passing megabytes on by copying would block the event loop. */
  readonly names: SharedArrayBuffer
  readonly rows: SharedArrayBuffer
}

/** First part of a large listing, instead of bytes: asks for a second worker to share the rows. */
export interface HelpWanted {
  readonly helpWith: RowsInput
}

/** Number of entries above which a second worker pays off. */
const MANY = 5000

export function* listFolder(input: ListInput, lend: Lend): Generator<unknown, void, void> {
  const { folder, isSniffing, pathPrefix, rulePaths } = input
  const scopeRoot = borrow(input.scopeRoot)
  const isShown = createIsShown(scopeRoot, input.hideDotfiles)
  const names = readOpenNames(scopeRoot, { fd: folder }).filter((name) => isShown(rulePaths, name))
  const rows = new Rows(names.length)
  if (names.length > MANY) {
    const helpWith = { folder, scopeRoot: input.scopeRoot, isSniffing, names: shared(names), rows: rows.buffer }
    yield { helpWith } satisfies HelpWanted
  }
  yield* fill(rows, names, scopeRoot, input)
  rows.waitForHelper()
  const order = orderOf(rows, names, input.sorting)
  const subtitlesOf = lazySubtitles({ scopeRoot, folder: { fd: folder }, names, pathPrefix, rulePaths, isShown })
  const { sorting, own } = input
  yield* writeListing({ rows, names, order, pathPrefix, sorting, own, subtitlesOf }, lend)
}

/** Run by the second worker of a large listing. */
export function* fillRows(input: RowsInput): Generator<undefined, void, void> {
  const names = Buffer.from(input.names).toString('latin1').split('\0')
  yield* fill(new Rows(names.length, input.rows), names, borrow(input.scopeRoot), input)
}

function shared(names: readonly NameBytes[]): SharedArrayBuffer {
  const text = names.join('\0')
  const memory = new SharedArrayBuffer(text.length)
  Buffer.from(memory).write(text, 'latin1')
  return memory
}

function fill(
  rows: Rows,
  names: readonly NameBytes[],
  scopeRoot: ScopeRoot,
  { folder, isSniffing }: LentFolder & { readonly isSniffing: boolean },
): Generator<undefined, void, void> {
  // Not disposed, because the descriptor belongs to the main thread.
  const held = new Handle(folder)
  return rows.fill((index) => readRow(scopeRoot, held, names[index] ?? '', isSniffing))
}

function lazySubtitles(folder: SubtitleFolder): SubtitlesOf {
  let finder: SubtitlesOf | undefined
  return (video) => (finder ??= createSubtitleFinder(folder))(video)
}

/** Counts the visible entries by their names alone. */
export function* countFolder({ folder, scopeRoot: lent, rulePaths, hideDotfiles }: ShownFolder): WorkerJob {
  yield
  const scopeRoot = borrow(lent)
  const isShown = createIsShown(scopeRoot, hideDotfiles)
  return readOpenNames(scopeRoot, { fd: folder }).filter((name) => isShown(rulePaths, name)).length
}

export function* findSubtitles(input: ShownFolder & { readonly name: string; readonly pathPrefix: string }): WorkerJob {
  yield
  const scopeRoot = borrow(input.scopeRoot)
  const isShown = createIsShown(scopeRoot, input.hideDotfiles)
  const folder = { fd: input.folder }
  const { pathPrefix, rulePaths } = input
  const names = readOpenNames(scopeRoot, folder).filter((name) => isShown(rulePaths, name))
  const subtitlesOf = createSubtitleFinder({ scopeRoot, folder, names, pathPrefix, rulePaths, isShown })
  return subtitlesOf(latin1Of(input.name))
}
