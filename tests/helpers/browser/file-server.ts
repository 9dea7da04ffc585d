import { afterAll, beforeAll } from 'vitest'
import { startTestServer, type TestServer, type TestServerOptions } from './test-server.ts'

/** One server for all tests of a file: each test works in a folder of its own. @returns the server, inside of tests */
export function serverOfFile(options: TestServerOptions): () => TestServer {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await startTestServer(options)
  })
  afterAll(async () => await server?.[Symbol.asyncDispose]())
  return () => {
    if (server === undefined) throw new Error('the server of this file has not started')
    return server
  }
}
