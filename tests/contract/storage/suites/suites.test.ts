import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RootId } from '../../../../src/domain/ids.ts'
import { Root, servedPathIn } from '../../../../src/domain/server/root.ts'
import { defaultsOf } from '../../../../src/domain/schema/schema-tools.ts'
import { openLocalStorage } from '../../../../src/storage/local/local-storage.ts'
import { mountRoots } from '../../../../src/storage/mounted-roots.ts'
import { StagedNames } from '../../../../src/storage/reserved-names.ts'
import { type Scope, type Storage, storagePathOf } from '../../../../src/storage/storage.ts'
import { type NameLocks, ProcessLocks } from '../../../../src/platform/limits/name-locks.ts'
import { acrossContract } from './across.ts'
import { listingContract } from './listing.ts'
import { storageContract } from './storage.ts'
import { stagingContract } from './staging.ts'
import { countingContract } from './counting.ts'
import { betweenContract } from './between.ts'
import { transferContract } from './transfer.ts'
import { watchContract } from './watch.ts'

async function open(locks?: NameLocks) {
  const root = await mkdtemp(join(tmpdir(), 'filemgr-storage-'))
  const storage = await openLocalStorage(root, { locks })
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

/** Two folders with the locks in common, as the roots of a daemon. */
async function openTwo() {
  const locks = new ProcessLocks()
  const [source, into] = [await open(locks), await open(locks)]
  return {
    source: source.storage,
    into: into.storage,
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]()
      await into[Symbol.asyncDispose]()
    },
  }
}

/** As one of another driver. */
function withoutFolder(scope: Scope): Scope {
  const { scopeRoot: _, ...others } = scope as Scope & { readonly scopeRoot?: unknown }
  return others
}

acrossContract('the local disk', openTwo)
acrossContract('the local disk, by content', openTwo, withoutFolder)

storageContract('a root beside another', openBeside)
transferContract('a root beside another', openBeside)
stagingContract('a root beside another', openBeside)

storageContract('the local disk', async () => await open())
listingContract('the local disk', async () => await open())
transferContract('the local disk', async () => await open())
betweenContract('the local disk', async () => await open())
countingContract('the local disk', async () => await open())
stagingContract('the local disk', async () => await open())
watchContract('the local disk', async () => await open())
