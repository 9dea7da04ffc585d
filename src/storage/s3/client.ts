import type { Readable } from 'node:stream'
import { S3Client, type S3ClientConfig, type ServiceOutputTypes } from '@aws-sdk/client-s3'
import { FilemgrError, isFilemgrError, throwIfCancelled } from '../../domain/errors.ts'
import { type BucketTrace, TRACES } from '../../platform/traces.ts'
import { bucketError, RETRY_AFTER } from './bucket-error.ts'
import { requireUtf8 } from './stored-object.ts'

/**
 * Milliseconds until a request fails, including its repetitions: without a body, with one of some megabytes, and for copies of
 * gigabytes, to which the server responds once they are complete.
 */
const TIMEOUT = 15_000
export const BODY_TIMEOUT = 60_000
export const COPY_TIMEOUT = 15 * 60_000
/** The part of that time after which a request is repeated, since another machine of the server may respond. */
const FIRST_TRY = 0.6
/** Milliseconds without a byte after which a download is requested again. */
const IDLE_TIMEOUT = 30_000
const CONNECTION_TIMEOUT = 5000
/** Downloads to slow readers hold connections, so there are as many as the daemon may have clients. */
const MAX_CONNECTIONS = 1024

type ResponseMetadata = ServiceOutputTypes['$metadata']

export interface SendOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds. */
  readonly timeout?: number
}

/** What all clients of the server have in common. */
export function clientConfig(): S3ClientConfig {
  const { env } = process
  const isElsewhere = (env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL']) !== undefined
  const hasRegion = (env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION']) !== undefined
  return {
    // S3 servers other than AWS seldom have a host name for each bucket, and most ignore the region.
    ...(isElsewhere && { forcePathStyle: true, ...(!hasRegion && { region: 'us-east-1' }) }),
    // Older servers do not support the newer checksums, and the signature already covers the body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }
}

/** Sends requests about one bucket, by the AWS SDK. Throws only our own errors. */
export class BucketClient implements Disposable {
  readonly bucket: string
  readonly #client: S3Client

  constructor(bucket: string) {
    this.bucket = bucket
    this.#client = new S3Client({
      ...clientConfig(),
      followRegionRedirects: true,
      requestHandler: {
        connectionTimeout: CONNECTION_TIMEOUT,
        requestTimeout: TIMEOUT * FIRST_TRY,
        throwOnRequestTimeout: true,
        httpAgent: { maxSockets: MAX_CONNECTIONS },
        httpsAgent: { maxSockets: MAX_CONNECTIONS },
      },
    })
    traceRequests(this.#client)
  }

  /** @param request sends a command. @throws UNAVAILABLE if the server does not respond in time */
  async send<T>(
    request: (client: S3Client, options: { abortSignal: AbortSignal; requestTimeout: number }) => Promise<T>,
    { signal, timeout = TIMEOUT }: SendOptions = {},
  ): Promise<T> {
    throwIfCancelled(signal)
    // Not AbortSignal.timeout(), which would keep everything in memory until its time has come.
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), timeout)
    const abortSignal = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
    try {
      return await request(this.#client, { requestTimeout: timeout * FIRST_TRY, abortSignal })
    } catch (error) {
      throwIfCancelled(signal)
      if (late.signal.aborted) throw tooLate(error)
      throw bucketError(error, this.bucket)
    } finally {
      clearTimeout(timer)
    }
  }

  /** The object of a copy. @throws CONFLICT */
  sourceOf(key: string): string {
    requireUtf8(key)
    return `${this.bucket}/${key.split('/').map(encodeURIComponent).join('/')}`
  }

  [Symbol.dispose](): void {
    this.#client.destroy()
  }
}

function traceRequests(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!TRACES.bucket.hasSubscribers) return await next(args)
        const begun = performance.now()
        const publish = ({ httpStatusCode: status, attempts = 1 }: ResponseMetadata) => {
          const operation = commandName.replace(/Command$/, '')
          const seconds = (performance.now() - begun) / 1000
          TRACES.bucket.publish({ operation, status, attempts, seconds } satisfies BucketTrace)
        }
        try {
          const result = await next(args)
          publish(result.output.$metadata)
          return result
        } catch (error) {
          publish((error as { readonly $metadata?: ResponseMetadata }).$metadata ?? {})
          throw error
        }
      },
    { step: 'initialize', name: 'traceRequests' },
  )
}

export async function orMissing<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request()
  } catch (error) {
    if (isFilemgrError(error, 'NOT_FOUND')) return undefined
    throw error
  }
}

/** Fails if the server sends nothing for too long. The reader may take any time. */
export async function* withIdleTimeout(body: Readable): AsyncGenerator<Uint8Array, void, void> {
  const arm = () => setTimeout(() => body.destroy(new Error('the server sends nothing')), IDLE_TIMEOUT)
  let timer = arm()
  try {
    for await (const part of body as AsyncIterable<Uint8Array>) {
      clearTimeout(timer)
      yield part
      timer = arm()
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Reads a body to its end. @throws UNAVAILABLE if the connection breaks */
export async function wholeOf(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  try {
    return Buffer.concat(await Array.fromAsync(body))
  } catch (error) {
    throw brokenOff(error)
  }
}

function tooLate(cause: unknown): FilemgrError {
  const message = 'the S3 server does not answer in time: try again later'
  return new FilemgrError('UNAVAILABLE', message, { retryAfter: RETRY_AFTER }, { cause })
}

export function brokenOff(cause: unknown): FilemgrError {
  const message = 'the S3 server broke off the connection: try again'
  return new FilemgrError('UNAVAILABLE', message, { retryAfter: RETRY_AFTER }, { cause })
}
