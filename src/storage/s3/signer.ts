import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { DirectReply } from '../open-file.ts'
import type { Clock } from '../../platform/clock.ts'
import { bucketError } from './bucket-error.ts'
import { clientConfig } from './client.ts'

/** Seconds in which a signed address can be used: what was revoked meanwhile still works that long. */
const VALID = 60

/** How browsers reach the server. */
export interface Browsers {
  /** Its address, which is signed too. */
  readonly endpoint: string
  readonly clock: Clock
}

/** Signs addresses by which others make one request to a bucket each, without credentials of their own. */
export class Signer implements Disposable {
  readonly #bucket: string
  readonly #client: S3Client
  readonly #clock: Clock

  constructor(bucket: string, { endpoint, clock }: Browsers) {
    this.#bucket = bucket
    this.#clock = clock
    this.#client = new S3Client({ ...clientConfig(), endpoint })
  }

  /** An address to read an object. The headers of the response are signed, so that nobody can have it shown otherwise. */
  async addressOf(key: string, { type, disposition, cacheControl }: DirectReply): Promise<string> {
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ResponseCacheControl: cacheControl,
      ResponseContentType: type,
      ResponseContentDisposition: disposition,
    })
    return await this.#sign(command)
  }

  /** An address to write an object of exactly this length. */
  async targetOf(key: string, length: number): Promise<string> {
    return await this.#sign(new PutObjectCommand({ Bucket: this.#bucket, Key: key, ContentLength: length }))
  }

  async #sign(command: GetObjectCommand | PutObjectCommand): Promise<string> {
    try {
      return await getSignedUrl(this.#client, command, {
        expiresIn: VALID,
        signingDate: new Date(this.#clock.now()),
      })
    } catch (error) {
      throw bucketError(error, this.#bucket)
    }
  }

  [Symbol.dispose](): void {
    this.#client.destroy()
  }
}
