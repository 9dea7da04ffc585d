import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { storeContract } from '../contract/store/contract.ts'
import { reopeningContract } from '../contract/store/reopening.ts'
import { clusterOfFile } from './opened.ts'

const { postgres, created, node } = clusterOfFile()

storeContract('PostgresStore', async (document) => (await node(await created(document))).store)

reopeningContract('PostgresStore', async (document) => {
  const url = await created(document)
  return {
    open: async () => await openPostgres({ url }),
    async age() {
      await postgres().query(url, "UPDATE filemgr_removed SET at = at - interval '1 hour'")
    },
  }
})
