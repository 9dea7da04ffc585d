import { memoryStores } from '../../../src/store/open-stores.ts'
import { storeContract } from './contract.ts'

storeContract('MemoryStore', async (document) => memoryStores(document).store)
