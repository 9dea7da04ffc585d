import type { Storage } from '../storage/storage.ts'

/** Opens the storage at its first use: a command that only touches accounts must not depend on the served folder. */
export function lazyStorage(open: () => Promise<Storage>): Storage {
  let opening: Promise<Storage> | undefined
  const opened = async (): Promise<Storage> => {
    opening ??= open().catch((error: unknown) => {
      // The folder may be there the next time, for instance when a disk is mounted late.
      opening = undefined
      throw error
    })
    return await opening
  }
  return {
    ready: async () => await (await opened()).ready(),
    openScope: async (...asked) => await (await opened()).openScope(...asked),
    makeScope: async (folder, links) => await (await opened()).makeScope(folder, links),
    visitHidden: async (visit, signal) => await (await opened()).visitHidden(visit, signal),
    sweep: async (kept, signal) => await (await opened()).sweep(kept, signal),
    async [Symbol.asyncDispose]() {
      await (await opening)?.[Symbol.asyncDispose]()
    },
  }
}
