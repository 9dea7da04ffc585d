import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalStorage } from '../../../../src/storage/local/local-storage.ts'
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

storageContract('the local disk', open)
listingContract('the local disk', open)
transferContract('the local disk', open)
betweenContract('the local disk', open)
countingContract('the local disk', open)
stagingContract('the local disk', open)
watchContract('the local disk', open)
