import { afterAll, beforeAll } from 'vitest'

interface S3Like extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>
}

/** An S3 server for the tests of a file, which the storage finds by the environment of this process. */
export function s3OfFile<S extends S3Like>(start: () => Promise<S>): () => S {
  let server: S | undefined
  beforeAll(async () => {
    server = await start()
    Object.assign(process.env, server.env)
  })
  afterAll(async () => await server?.[Symbol.asyncDispose]())
  return () => {
    if (server === undefined) throw new Error('the server is not started')
    return server
  }
}
