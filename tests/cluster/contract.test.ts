import { storeContract } from '../contract/store/contract.ts'
import { clusterOfFile } from './opened.ts'

const { created, node } = clusterOfFile()

storeContract('PostgresStore', async (document) => (await node(await created(document))).store)
