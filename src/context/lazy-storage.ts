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
    openScope: async (folder, links) => await (await opened()).openScope(folder, links),
    foldsCase: async () => await (await opened()).foldsCase(),
    makeScope: async (folder, links) => await (await opened()).makeScope(folder, links),
    async [Symbol.asyncDispose]() {
      await (await opening)?.[Symbol.asyncDispose]()
    },
  }
}
