import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { StoreDocument } from '../../../src/store/document.ts'
import { createStore, openStores, type OpenStoresOptions } from '../../../src/store/open-stores.ts'
import { temporaryFolder } from './folder.ts'
import { sampleDocument } from './samples.ts'

/** A data folder with a store, what was logged about it, and ways to tamper with store.json. */
export async function dataFolder(document: StoreDocument = sampleDocument(), named?: string) {
  const folder = named ?? (await temporaryFolder())
  await createStore(folder, document)
  const path = join(folder, 'store.json')
  const logged: string[] = []
  const note = (message: string) => void logged.push(message)
  const log = { info: note, warn: note, error: note }
  return {
    folder,
    path,
    logged,
    async open(options: Partial<OpenStoresOptions> = {}) {
      const stores = await openStores({ folder, log, ...options })
      onTestFinished(async () => await stores[Symbol.asyncDispose]())
      return stores
    },
    /** Writes in place, as many editors do. */
    async edit(change: (text: string) => string) {
      await writeFile(path, change(await readFile(path, 'utf8')))
    },
  }
}
