import { afterAll, afterEach, beforeAll } from 'vitest'
import type { StoreDocument } from '../../src/store/document.ts'
import type { Stores } from '../../src/store/open-stores.ts'
import { createPostgres, openPostgres, type OpenPostgresOptions } from '../../src/store/postgres/open-postgres.ts'
import { sampleDocument } from '../contract/store/samples.ts'
import { startPostgres, type TestPostgres } from '../helpers/postgres.ts'

export interface ClusterOfFile {
  readonly postgres: () => TestPostgres
  /** The URL of a new database with this store. */
  created(document?: StoreDocument): Promise<string>
  /** Opens a store as one of several daemons. It is closed after the test. */
  node(url: string, options?: Partial<OpenPostgresOptions>): Promise<Stores>
}

/** The server of the tests of a file. */
export function clusterOfFile(): ClusterOfFile {
  let server: TestPostgres | undefined
  const opened: Stores[] = []

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterEach(async () => {
    for (const stores of opened.splice(0)) await stores[Symbol.asyncDispose]()
  })
  afterAll(async () => await server?.[Symbol.asyncDispose]())

  const postgres = (): TestPostgres => {
    if (server === undefined) throw new Error('the server is not started')
    return server
  }
  return {
    postgres,
    async created(document = sampleDocument()) {
      const url = await postgres().database()
      await createPostgres(url, { document })
      return url
    },
    async node(url, options) {
      const stores = await openPostgres({ url, follows: true, ...options })
      opened.push(stores)
      return stores
    },
  }
}
