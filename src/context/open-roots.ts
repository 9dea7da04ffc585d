import { fail, isFilemgrError } from '../domain/errors.ts'
import { isBucketUrl } from '../domain/server/addresses.ts'
import type { Root } from '../domain/server/root.ts'
import type { ServerOptions } from '../domain/server/server-options.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { OwnedLocalResources } from '../storage/local/local-resources.ts'
import { mountRoots, openLater } from '../storage/mounted-roots.ts'
import type { StagedNames } from '../storage/reserved-names.ts'
import type { Storage } from '../storage/storage.ts'
import type { StoreDocument } from '../store/document.ts'
import type { Store } from '../store/store.ts'
import { openServedFolderLater, type ServedFolderOptions } from './served-folder.ts'

export interface RootsParts {
  readonly store: Pick<Store<StoreDocument>, 'snapshot' | 'onChange'>
  readonly options: Pick<ServerOptions, 'root' | 's3Direct'>
  /** Instead of what the option `root` names. */
  readonly files?: Storage
  /** What all roots have in common. */
  readonly served: () => Promise<ServedFolderOptions & { readonly staged: StagedNames }>
  readonly log: Logger
}

/** All served files: what the option `root` names, and the roots of the store, also those that are added later. */
export function openRoots({ store, options, files, served, log }: RootsParts) {
  let resources: Promise<OwnedLocalResources> | undefined
  /** Threads and descriptors of all roots of the store together, so that a hundred of them need no more than a few. */
  const sharedResources = async () => {
    resources ??= served().then(async ({ memory }) => {
      const { openLocalResources } = await import('../storage/local/local-resources.ts')
      return openLocalResources({ ...(memory && { memory }) })
    })
    return await resources
  }

  const open = async ({ id, name, location, index, mountPoint }: Root): Promise<Storage> => {
    const called = () => `the root "${store.snapshot().roots.find((root) => root.id === id)?.name ?? name}"`
    const own = isBucketUrl(location) ? {} : { called, index, mountPoint, resources: await sharedResources() }
    try {
      return await openServedFolderLater(location, { ...(await served()), ...own })
    } catch (cause) {
      if (!isFilemgrError(cause)) throw cause
      return fail('UNAVAILABLE', cause.message, {}, { cause })
    }
  }

  const openFiles = async () =>
    await openServedFolderLater(options.root, { ...(await served()), direct: options.s3Direct || undefined })

  const storage = mountRoots({
    files: files ?? openLater(openFiles),
    roots: () => store.snapshot().roots,
    open,
    staged: async () => (await served()).staged,
    onCloseError: (error) => log.warn({ err: error }, 'a root that was removed could not be closed'),
  })
  const unsubscribe = store.onChange((now, before) => {
    if (now.roots !== before.roots) storage.follow()
  })
  return {
    opened: storage as Storage,
    close: {
      async [Symbol.asyncDispose]() {
        unsubscribe()
        await storage[Symbol.asyncDispose]()
        await (await resources)?.[Symbol.asyncDispose]()
      },
    },
  }
}
