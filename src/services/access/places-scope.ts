import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { Amount } from '../../domain/access/quota.ts'
import type { Visibility } from '../../domain/access/rule-check.ts'
import type { FlatResource, Resource } from '../../domain/files/resource.ts'
import { below, isInside, relativeTo, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { listingParts } from '../../platform/files/listing-parts.ts'
import type { ListingView, Scope, SearchView, Staging, Trash } from '../../storage/storage.ts'
import type { FileAccess, PathIn } from './file-access.ts'
import { EVERYTHING } from './file-checks.ts'
import { failListsPlaces, packerOf, type PlaceInAll, topOf } from './place-in-all.ts'

/** Of a folder, as Go writes it: rwxr-xr-x. */
const FOLDER_MODE = 0x80000000 + 0o755

/**
 * The places of a user as one scope, of which each is a folder. Everything is asked of the places, with the rules of each; nothing
 * can be changed through it.
 */
export function createPlacesScope(places: readonly PlaceInAll[]): Scope {
  /** @throws NOT_FOUND; UNAVAILABLE for a place that is away */
  const at = (path: VirtualPath): PathIn => {
    const found = places.find((place) => isInside(topOf(place), path))
    if (found === undefined) return fail('NOT_FOUND', 'there is no place of this name')
    if (found.files === undefined) throw found.problem
    return { files: found.files, path: relativeTo(topOf(found), path) }
  }
  const inside = async <T>(path: VirtualPath, work: (scope: Scope, inner: VirtualPath) => Promise<T>): Promise<T> => {
    const found = at(path)
    return await work(found.files.scope, found.path)
  }

  const itemOf = async (place: PlaceInAll): Promise<Resource> => {
    const { name, files } = place
    const away = { ...folder(topOf(place), name), state: 'away' } as const
    if (files === undefined) return away
    try {
      const { permissions: _, ...stat } = await files.scope.stat(ROOT, { ...files.view(topOf(place)), sniff: false })
      return { ...stat, path: topOf(place), name }
    } catch (error) {
      if (!isFilemgrError(error)) throw error
      return away
    }
  }

  /** What `ask` finds in each place that is there, or in the one that a path is in. */
  async function* through<T>(
    path: VirtualPath,
    ask: (files: FileAccess, inner: VirtualPath, top: VirtualPath) => AsyncIterable<T>,
  ): AsyncGenerator<T, void, void> {
    if (path !== ROOT) {
      const found = at(path)
      yield* ask(found.files, found.path, found.files.shown(ROOT))
      return
    }
    for (const place of places) {
      if (place.files === undefined) continue
      try {
        yield* ask(place.files, ROOT, topOf(place))
      } catch (error) {
        // The others go on.
        if (!isFilemgrError(error, 'UNAVAILABLE', 'BUSY', 'NOT_FOUND')) throw error
      }
    }
  }

  const refuseLater = async (): Promise<never> => failListsPlaces()

  return {
    requireWritable: failListsPlaces,
    exists: async (path) =>
      path === ROOT ||
      (places.some((place) => isInside(topOf(place), path)) &&
        (await inside(path, async (scope, inner) => await scope.exists(inner)))),
    stat: async (path, view) =>
      path === ROOT
        ? { ...folder(view.shownPath, ''), ...(view.permissions && { permissions: view.permissions }) }
        : await inside(
            path,
            async (scope, inner) => await scope.stat(inner, { ...view, ...viewIn(at(path).files, view) }),
          ),
    async listing(path, view, signal) {
      if (path !== ROOT)
        return await inside(
          path,
          async (scope, inner) => await scope.listing(inner, viewIn(at(path).files, view), signal),
        )
      const { shownPath, sorting, permissions } = view
      const items = await Promise.all(places.map(itemOf))
      return listingParts(items, (row) => row, {
        sorting,
        ...folder(shownPath, ''),
        ...(permissions && { permissions }),
      })
    },
    count: async (path, visibility) =>
      path === ROOT
        ? places.length
        : await inside(path, async (scope, inner) => await scope.count(inner, seenIn(at(path).files, visibility))),
    walk: (path, visibility, signal) =>
      through(path, async function* (files, inner, top) {
        if (path === ROOT) yield [await flatOf(files, top)]
        for await (const batch of files.scope.walk(inner, seenIn(files, visibility), signal)) yield placed(batch, top)
      }),
    entries: (path, visibility, signal) =>
      through(path, async function* (files, inner, top) {
        if (path === ROOT) yield [await flatOf(files, top)]
        else
          for await (const batch of files.scope.entries(inner, seenIn(files, visibility), signal))
            yield placed(batch, top)
      }),
    search: (path, view, signal) =>
      through(path, async function* (files, inner, top) {
        const { query, details = false } = view
        const own: SearchView = { ...files.view('/'), query, details }
        for await (const hits of files.scope.search(inner, own, signal))
          yield path === ROOT ? hits.map((hit) => ({ ...hit, path: `${top.slice(1)}/${hit.path}` })) : hits
      }),
    open: async (path) => await inside(path, async (scope, inner) => await scope.open(inner)),
    identify: async (path) => await inside(path, async (scope, inner) => await scope.identify(inner)),
    entryAt: async (path) =>
      path === ROOT ? undefined : await inside(path, async (scope, inner) => await scope.entryAt(inner)),
    whereIs: async (path) => {
      if (path === ROOT) return ROOT
      const { files, path: inner } = at(path)
      const real = await files.scope.whereIs(inner)
      return real && below(files.shown(ROOT), real)
    },
    within: async (path) => await inside(path, async (scope, inner) => await scope.within(inner)),
    localRoot: () => undefined,
    archive: async (selection, _, signal) => {
      // Loaded with the first archive: commands do not need it.
      const { archiveOfPlaces } = await import('./places-archive.ts')
      return archiveOfPlaces(places, selection, signal)
    },
    pack: (format, members, signal) => packerOf(places).pack(format, members, signal),
    checksum: async (path, ...rest) => await inside(path, async (scope, inner) => await scope.checksum(inner, ...rest)),
    // The sum of several disks would say nothing: that of the first place stands for all.
    usage: async (path) =>
      path === ROOT
        ? ((await places[0]?.files?.scope.usage(ROOT)) ?? { total: 0, used: 0 })
        : await inside(path, async (scope, inner) => await scope.usage(inner)),
    async measure(path, signal) {
      if (path !== ROOT) return await inside(path, async (scope, inner) => await scope.measure(inner, signal))
      const sum: Amount = { bytes: 0, files: 0 }
      for (const { files } of places) {
        if (files === undefined) continue
        const { bytes, files: count } = await files.scope.measure(ROOT, signal)
        sum.bytes += bytes
        sum.files += count
      }
      return sum
    },
    watch: async (path, listener) =>
      path === ROOT
        ? new DisposableStack()
        : await inside(path, async (scope, inner) => await scope.watch(inner, listener)),
    kindOf: async (path) => {
      if (path === ROOT) return 'folder'
      if (!places.some((place) => isInside(topOf(place), path))) return undefined
      return await inside(path, async (scope, inner) => await scope.kindOf(inner))
    },
    isSame: async (one, other) => one === other,
    write: refuseLater,
    makeFolder: refuseLater,
    copy: refuseLater,
    rename: refuseLater,
    move: refuseLater,
    remove: refuseLater,
    removeFile: refuseLater,
    removeEmpty: refuseLater,
    stageFolder: refuseLater,
    unstage: refuseLater,
    get trash(): Trash {
      return failListsPlaces()
    },
    get staging(): Staging {
      return failListsPlaces()
    },
    [Symbol.dispose]() {
      for (const { files } of places) files?.[Symbol.dispose]()
    },
  }
}

/** The rules of the place, except where rules are not asked for. */
function seenIn(files: FileAccess, visibility: Visibility): Visibility {
  return visibility === EVERYTHING ? EVERYTHING : files.view('/')
}

function viewIn(files: FileAccess, { shownPath, sniff }: ListingView): ListingView {
  return { ...files.view(shownPath), sniff }
}

async function flatOf(files: FileAccess, top: VirtualPath): Promise<FlatResource> {
  const { modified } = await files.scope.stat(ROOT, { ...files.view(top), sniff: false })
  return { path: top, name: top.slice(1), size: 0, modified, isDir: true }
}

function placed(batch: readonly FlatResource[], top: VirtualPath): FlatResource[] {
  return batch.map((entry) => ({ ...entry, path: below(top, entry.path as VirtualPath) }))
}

function folder(path: string, name: string): Resource {
  return {
    path,
    name,
    size: 0,
    extension: '',
    modified: new Date(0).toISOString(),
    mode: FOLDER_MODE,
    isDir: true,
    isSymlink: false,
    type: '',
  }
}
