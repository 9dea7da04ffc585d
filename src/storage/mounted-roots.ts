import { fail, isFilemgrError, unlessFails } from '../domain/errors.ts'
import type { HiddenEntry } from '../domain/files/hidden-entry.ts'
import { below, relativeTo, type VirtualPath } from '../domain/files/virtual-path.ts'
import type { RootId } from '../domain/ids.ts'
import { isBucketUrl } from '../domain/server/addresses.ts'
import { FILES_ROOT, mountOf, type Root, rootOf } from '../domain/server/root.ts'
import { namingScope, namedFailure } from './naming-scope.ts'
import { refusingScope } from './read-only-scope.ts'
import type { StagedNames, Unseen } from './reserved-names.ts'
import { type Storage, type StoragePath, storagePathOf, type VisitHidden } from './storage.ts'

export interface MountedRootsDeps {
  /** The root of all paths. */
  readonly files: Storage
  /** The other roots at this moment. */
  readonly roots: () => readonly Root[]
  /** @throws UNAVAILABLE */
  readonly open: (root: Root) => Promise<Storage>
  /** The names that all roots give to their staged files. */
  readonly staged: () => Promise<StagedNames>
  /** Told of an error while the storage of a root that is gone was closed. */
  readonly onCloseError: (error: unknown) => void
}

interface Mounted {
  /** As it was opened. */
  readonly root: Root
  readonly storage: Storage
}

/** After this, somebody may ask again for a root that is away. */
const RETRY_SECONDS = 10

/**
 * All roots as one storage: `files` is its root, and each other is a folder below `ROOTS_FOLDER`. Follows the roots of the store: each
 * is opened when it is needed, and closed once it is removed or moved. One that is away is UNAVAILABLE by its name, and the others
 * go on.
 */
export function mountRoots({ files, roots, open, staged, onCloseError }: MountedRootsDeps): Storage & {
  /** Closes what is gone. Call it when the roots have changed. */
  follow(): void
} {
  const mounted = new Map<RootId, Mounted>()
  const closing = new Set<Promise<void>>()

  const close = ({ root, storage }: Mounted): void => {
    mounted.delete(root.id)
    const closed = disposed(storage).catch(onCloseError)
    closing.add(closed)
    void closed.then(() => closing.delete(closed))
  }

  const mount = (id: RootId): Mounted & { now: () => Root } => {
    const find = () => roots().find((root) => root.id === id)
    const now = () => find() ?? fail('NOT_FOUND', 'this root was removed')
    const root = now()
    let known = mounted.get(id)
    if (known !== undefined && !isSameStorage(known.root, root)) {
      close(known)
      known = undefined
    }
    known ??= { root, storage: openLater(async () => await open(root)) }
    mounted.set(id, known)
    return { ...known, now }
  }

  /** Runs work on the storage that contains a path. */
  const at = async <T>(
    path: StoragePath | VirtualPath,
    work: (storage: Storage, inner: StoragePath, now?: () => Root) => Promise<T>,
  ): Promise<T> => {
    const served = path as string as VirtualPath
    const id = rootOf(served)
    const { storage, now } = id === FILES_ROOT ? { storage: files } : mount(id)
    try {
      return await work(storage, storagePathOf(relativeTo(mountOf(id), served)), now)
    } catch (error) {
      if (now === undefined || !isFilemgrError(error, 'UNAVAILABLE')) throw namedFailure(error, calledAs(now?.()))
      return failAway(now(), error)
    }
  }

  /** Each root by itself, so that one that is away does not hide the others. @returns false if one is */
  const visitEach = async (
    visit: (storage: Storage, mountPath: VirtualPath) => Promise<boolean>,
    isWanted: (root: Root) => boolean,
  ): Promise<boolean> => {
    let isWhole = await visit(files, mountOf(FILES_ROOT))
    for (const { id } of roots().filter(isWanted)) {
      try {
        isWhole = (await visit(mount(id).storage, mountOf(id))) && isWhole
      } catch (error) {
        if (!isFilemgrError(error)) throw error
        isWhole = false
      }
    }
    return isWhole
  }

  const visitStaged = async (visit: VisitHidden, signal?: AbortSignal): Promise<Unseen> => {
    let unseen: Unseen = 'nothing'
    const isWhole = await visitEach(
      async (storage, path) => {
        const found = await storage.visitStaged(shown(visit, path), signal)
        if (found === 'moved') unseen = 'moved'
        return found !== 'unreadable'
      },
      // Nothing can be removed there.
      ({ readOnly }) => !readOnly,
    )
    return isWhole ? unseen : 'unreadable'
  }

  return {
    ready: async () => await files.ready(),
    conditions: async () => await files.conditions(),
    visitStaged,

    async openScope(folder, links, permits) {
      return await at(folder, async (storage, inner, now) => {
        const opened = await storage.openScope(inner, links, permits)
        const scope = namingScope(opened, () => calledAs(now?.()))
        return now === undefined ? scope : refusingScope(scope, () => refusalOf(now()))
      })
    },

    async makeScope(folder, links, work) {
      await at(folder, async (storage, inner, now) => {
        const refusal = now && refusalOf(now())
        if (refusal === undefined) await storage.makeScope(inner, links, work)
        else if (!(await isThere(storage, inner))) fail('FORBIDDEN', refusal, { explained: true })
      })
    },

    async visitHidden(visit, signal) {
      return await visitEach(
        async (storage, path) => await storage.visitHidden(shown(visit, path), signal),
        () => true,
      )
    },

    async sweep(options = {}) {
      if (roots().length === 0) return await files.sweep(options)
      const names = await staged()
      return await names.sweep(options, async (isAbandoned) => await visitStaged(isAbandoned, options.signal))
    },

    follow() {
      const present = new Map(roots().map((root) => [root.id, root]))
      for (const known of mounted.values()) {
        const root = present.get(known.root.id)
        if (root === undefined || !isSameStorage(known.root, root)) close(known)
      }
    },

    async [Symbol.asyncDispose]() {
      for (const known of mounted.values()) close(known)
      await Promise.all(closing)
      await files[Symbol.asyncDispose]()
    },
  }
}

/** Opens the storage on first use: a command that only accesses accounts must not depend on the served folder. */
export function openLater(open: () => Promise<Storage>): Storage {
  let opening: Promise<Storage> | undefined
  const opened = async (): Promise<Storage> => {
    opening ??= open().catch((error: unknown) => {
      // Try again next time: the disk may be mounted late.
      opening = undefined
      throw error
    })
    return await opening
  }
  return {
    ready: async () => await (await opened()).ready(),
    conditions: async () => await (await opened()).conditions(),
    openScope: async (...args) => await (await opened()).openScope(...args),
    makeScope: async (...asked) => await (await opened()).makeScope(...asked),
    visitHidden: async (visit, signal) => await (await opened()).visitHidden(visit, signal),
    visitStaged: async (visit, signal) => await (await opened()).visitStaged(visit, signal),
    sweep: async (...args) => await (await opened()).sweep(...args),
    async [Symbol.asyncDispose]() {
      await (await opening)?.[Symbol.asyncDispose]()
    },
  }
}

async function isThere(storage: Storage, folder: StoragePath): Promise<boolean> {
  const scope = await unlessFails(storage.openScope(folder, 'inside'), 'NOT_FOUND')
  scope?.[Symbol.dispose]()
  return scope !== undefined
}

async function disposed(storage: Storage): Promise<void> {
  await storage[Symbol.asyncDispose]()
}

function isSameStorage(one: Root, other: Root): boolean {
  return one.location === other.location && one.mountPoint === other.mountPoint && one.index === other.index
}

function refusalOf({ name, readOnly }: Root): string | undefined {
  return readOnly ? `the root "${name}" is read-only` : undefined
}

/** As messages call a root. @param root undefined for `files` */
function calledAs(root: Pick<Root, 'name'> | undefined): string {
  return root === undefined ? 'the served folder' : `the root "${root.name}"`
}

function failAway(root: Root, cause: Error): never {
  const remedy = isBucketUrl(root.location) ? cause.message : 'mount its disk or restore its folder'
  return fail('UNAVAILABLE', `${calledAs(root)} is away: ${remedy}`, { retryAfter: RETRY_SECONDS }, { cause })
}

/** Visits with paths among all served files. */
function shown(visit: VisitHidden, mountPath: VirtualPath): VisitHidden {
  const placed = (path: string) => below(mountPath, path as VirtualPath)
  return async (entry: HiddenEntry) =>
    await visit(
      entry.kind === 'trash'
        ? { ...entry, path: placed(entry.path), scope: placed(entry.scope) }
        : { ...entry, path: placed(entry.path) },
    )
}
