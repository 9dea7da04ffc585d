import { S3Client } from '@aws-sdk/client-s3'
import { isFilemgrError, throwIfCancelled } from '../../domain/errors.ts'
import { bucketError } from './bucket-error.ts'

/** Milliseconds. Long for copies of gigabytes, to which the server responds once they are complete. */
export const REQUEST_TIMEOUT = 30_000
export const LONG_REQUEST_TIMEOUT = 15 * 60_000
const CONNECTION_TIMEOUT = 5000
/** Downloads to slow readers hold connections, so there are as many as the daemon may have clients. */
const MAX_CONNECTIONS = 1024

export interface SendOptions {
  readonly signal?: AbortSignal | undefined
  /** Milliseconds. */
  readonly timeout?: number
}

/** Sends requests about one bucket, by the AWS SDK. Throws only our own errors. */
export class BucketClient implements Disposable {
  readonly bucket: string
  readonly #client: S3Client

  constructor(bucket: string) {
    const { env } = process
    const isElsewhere = (env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL']) !== undefined
    const hasRegion = (env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION']) !== undefined
    this.bucket = bucket
    this.#client = new S3Client({
      // S3 servers other than AWS seldom have a host name for each bucket, and most ignore the region.
      ...(isElsewhere && { forcePathStyle: true, ...(!hasRegion && { region: 'us-east-1' }) }),
      followRegionRedirects: true,
      // Older servers do not support the newer checksums, and the signature already covers the body.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECTION_TIMEOUT,
        requestTimeout: REQUEST_TIMEOUT,
        throwOnRequestTimeout: true,
        httpAgent: { maxSockets: MAX_CONNECTIONS },
        httpsAgent: { maxSockets: MAX_CONNECTIONS },
      },
    })
  }

  /** @param request sends a command */
  async send<T>(
    request: (client: S3Client, options: { abortSignal?: AbortSignal; requestTimeout: number }) => Promise<T>,
    { signal, timeout = REQUEST_TIMEOUT }: SendOptions = {},
  ): Promise<T> {
    throwIfCancelled(signal)
    try {
      return await request(this.#client, { requestTimeout: timeout, ...(signal && { abortSignal: signal }) })
    } catch (error) {
      throw bucketError(error, this.bucket)
    }
  }

  /** The object of a copy. */
  sourceOf(key: string): string {
    return `${this.bucket}/${key.split('/').map(encodeURIComponent).join('/')}`
  }

  [Symbol.dispose](): void {
    this.#client.destroy()
  }
}

export async function orMissing<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request()
  } catch (error) {
    if (isFilemgrError(error, 'NOT_FOUND')) return undefined
    throw error
  }
}
