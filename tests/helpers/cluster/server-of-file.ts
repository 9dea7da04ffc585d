import { afterAll, afterEach, beforeAll } from 'vitest'
import { type S3Proxy, startS3Proxy } from './s3-proxy.ts'
import { type S3Server, startS3Server } from './s3-server.ts'

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

/**
 * The same with a proxy, whose `before` is reset after each test. Each request that fails is a failure, as if its repetitions had
 * failed too.
 */
export function proxiedS3OfFile(): () => { readonly server: S3Server; readonly proxy: S3Proxy } {
  const started = s3OfFile(async () => {
    const server = await startS3Server()
    const proxy = await startS3Proxy(server)
    return {
      server,
      proxy,
      env: { ...proxy.env, AWS_MAX_ATTEMPTS: '1' },
      async [Symbol.asyncDispose]() {
        delete process.env['AWS_MAX_ATTEMPTS']
        await proxy[Symbol.asyncDispose]()
        await server[Symbol.asyncDispose]()
      },
    }
  })
  afterEach(() => {
    started().proxy.before = () => undefined
  })
  return started
}
