import { memoryStores } from '../../src/store/open-stores.ts'
import { storeContract } from './store-contract.ts'

storeContract('MemoryStore', async (document) => memoryStores(document).store)
