import { fail } from '../../domain/errors.ts'
import { sortListing } from '../../domain/files/listing-order.ts'
import { extensionOf, typeByName } from '../../domain/files/media/media-type.ts'
import type { Resource } from '../../domain/files/resource.ts'
import type { Sorting } from '../../domain/files/sorting.ts'
import { below, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { createTimeFormat } from '../../domain/files/file-time.ts'
import { listingParts } from '../../platform/files/listing-parts.ts'
import type { ListingView } from '../storage.ts'
import { type BucketRoot, folderKey, keyOf, withoutRules } from './bucket-root.ts'
import { MODE_OF_FILE, MODE_OF_FOLDER } from './describe.ts'
import { mapParallel } from './in-parallel.ts'
import { type Entry, readFolder } from './read-folder.ts'
import { subtitlesOf } from './subtitles.ts'

/**
 * How many entries of one listing get a request for their time and type. The others have the time at which they were stored, and the
 * type that their name suggests; so have all new ones of a large folder, of which so few would not tell much.
 */
const MAX_REQUESTS = 500
const LARGE_FOLDER = 10_000
const PARALLEL_REQUESTS = 64

interface Row extends Entry {
  readonly bytes: string
  readonly modified: bigint
  readonly type: Resource['type']
}

/** The wire JSON of a folder. @param own the folder itself */
export async function listFolder(
  root: BucketRoot,
  path: VirtualPath,
  view: ListingView,
  own: Resource,
  signal?: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const entries = await readFolder(root, path, view, signal)
  let requests = entries.length > LARGE_FOLDER ? MAX_REQUESTS : 0
  const getsDetails = ({ object }: Entry): boolean => {
    if (object !== undefined && root.details.known(object, view.sniff) !== undefined) return true
    requests += 1
    return requests <= MAX_REQUESTS
  }
  const described = await mapParallel(
    entries.map((entry) => [entry, getsDetails(entry)] as const),
    async ([entry, isDetailed]) => await rowOf(root, path, entry, isDetailed && view.sniff, isDetailed),
    PARALLEL_REQUESTS,
  )
  const rows = described.filter((row) => row !== undefined)
  const order = orderOf(rows, view.sorting)
  const findSubtitles = await subtitlesOf(root, path, view, entries)
  return listingParts(order, (row) => itemOf(row, view.shownPath, findSubtitles), { sorting: view.sorting, ...own })
}

async function rowOf(
  root: BucketRoot,
  path: VirtualPath,
  entry: Entry,
  isSniffing: boolean,
  isDetailed: boolean,
): Promise<Row | undefined> {
  const { name, object } = entry
  const bytes = Buffer.from(name).toString('latin1')
  if (object === undefined) {
    const key = folderKey(root, keyOf(withoutRules(root), below(path, `/${name}` as VirtualPath)))
    return {
      ...entry,
      bytes,
      modified: isDetailed ? await root.details.folderTime(key, root.clock.now()) : 0n,
      type: '',
    }
  }
  const byName = typeByName(name, object.size)
  if (!isDetailed) return { ...entry, bytes, modified: object.stored, type: byName }
  const details = await root.details.get(object, name, isSniffing)
  return (
    details && { ...entry, bytes, modified: details.modified, type: isSniffing ? (details.type ?? byName) : byName }
  )
}

function orderOf(rows: readonly Row[], sorting: Sorting): Row[] {
  const row = (index: number) => rows[index] ?? fail('INTERNAL', 'a row is missing')
  const columns = {
    name: (index: number) => row(index).name,
    isDir: (index: number) => row(index).object === undefined,
    size: (index: number) => row(index).object?.size ?? 0,
    compareTimes: (one: number, other: number) => compare(row(one).modified, row(other).modified),
    compareNames: (one: number, other: number) => compare(row(one).bytes, row(other).bytes),
  }
  return sortListing([...rows.keys()], columns, sorting).map(row)
}

function compare<T extends bigint | string>(one: T, other: T): number {
  return one < other ? -1 : Number(one > other)
}

function itemOf(
  { name, object, modified, type }: Row,
  shownPath: string,
  findSubtitles: (video: string) => string[],
): Resource {
  const isDir = object === undefined
  const subtitles = type === 'video' ? findSubtitles(name) : []
  return {
    path: `${shownPath.replace(/\/$/, '')}/${name}`,
    name,
    size: object?.size ?? 0,
    extension: extensionOf(name),
    modified: createTimeFormat()(modified),
    mode: isDir ? MODE_OF_FOLDER : MODE_OF_FILE,
    isDir,
    isSymlink: false,
    type,
    ...(subtitles.length > 0 && { subtitles }),
  }
}
