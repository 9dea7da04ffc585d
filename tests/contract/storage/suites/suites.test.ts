import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RootId } from '../../../../src/domain/ids.ts'
import { Root, servedPathIn } from '../../../../src/domain/server/root.ts'
import { defaultsOf } from '../../../../src/domain/schema/schema-tools.ts'
import { openLocalStorage } from '../../../../src/storage/local/local-storage.ts'
import { mountRoots } from '../../../../src/storage/mounted-roots.ts'
import { StagedNames } from '../../../../src/storage/reserved-names.ts'
import { type Storage, storagePathOf } from '../../../../src/storage/storage.ts'
import { listingContract } from './listing.ts'
import { storageContract } from './storage.ts'
import { stagingContract } from './staging.ts'
import { countingContract } from './counting.ts'
import { betweenContract } from './between.ts'
import { transferContract } from './transfer.ts'
import { watchContract } from './watch.ts'

async function open() {
  const root = await mkdtemp(join(tmpdir(), 'filemgr-storage-'))
  const storage = await openLocalStorage(root)
  return {
    storage,
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]()
      await rm(root, { recursive: true, force: true })
    },
  }
}

const BESIDE = { ...defaultsOf(Root), id: 'beside' as RootId, name: 'Beside', location: '/unused' }

/** The same folder as a root beside another one. */
async function openBeside() {
  const [files, beside] = [await open(), await open()]
  const storage = mountRoots({
    files: files.storage,
    roots: () => [BESIDE],
    open: async () => beside.storage,
    staged: async () => new StagedNames(),
    onCloseError: (error) => {
      throw error
    },
  })
  const placed = (folder: string) => storagePathOf(servedPathIn({ root: BESIDE.id, scope: '/' }, folder as never))
  const inside: Storage = {
    ...storage,
    openScope: async (folder, ...rest) => await storage.openScope(placed(folder), ...rest),
    makeScope: async (folder, ...rest) => await storage.makeScope(placed(folder), ...rest),
  }
  return {
    storage: inside,
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]()
      await beside[Symbol.asyncDispose]()
      await files[Symbol.asyncDispose]()
    },
  }
}

storageContract('a root beside another', openBeside)
transferContract('a root beside another', openBeside)
stagingContract('a root beside another', openBeside)

storageContract('the local disk', open)
listingContract('the local disk', open)
transferContract('the local disk', open)
betweenContract('the local disk', open)
countingContract('the local disk', open)
stagingContract('the local disk', open)
watchContract('the local disk', open)
