import { afterEach } from 'vitest'
import { createStore, openStores, type Stores } from '../../../src/store/open-stores.ts'
import { storeContract } from './contract.ts'
import { temporaryFolder } from './folder.ts'
import { reopeningContract } from './reopening.ts'

const opened: Stores[] = []

afterEach(async () => {
  for (const stores of opened.splice(0)) await stores[Symbol.asyncDispose]()
})

storeContract('JsonStore', async (document) => {
  const folder = await temporaryFolder()
  await createStore(folder, document)
  const stores = await openStores({ folder })
  opened.push(stores)
  return stores.store
})

reopeningContract('JsonStore', async (document) => {
  const folder = await temporaryFolder()
  await createStore(folder, document)
  return { open: async () => await openStores({ folder }) }
})

storeContract('JsonStore of a daemon', async (document) => {
  const folder = await temporaryFolder()
  await createStore(folder, document)
  const stores = await openStores({ folder, daemon: true })
  opened.push(stores)
  return stores.store
})
