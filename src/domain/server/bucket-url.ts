import { fail } from '../errors.ts'
import { parseVirtualPath, ROOT } from '../files/virtual-path.ts'

/** The part of an S3 bucket that is served. */
export interface BucketLocation {
  readonly bucket: string
  /** Keys of all files begin with it: "", or a text that ends in a slash. */
  readonly prefix: string
}

const SCHEME = /^s3:\/\//i
const BUCKET_URL = /^s3:\/\/([^/@]+)(\/.*)?$/is
const BUCKET = /^[A-Za-z0-9][\w.-]{1,61}[A-Za-z0-9]$/

/** True for a root such as "s3://bucket/prefix", false for a folder of this machine. */
export function isBucketUrl(root: string): boolean {
  return SCHEME.test(root)
}

/** @throws INVALID_INPUT, without the text, which may contain a secret */
export function parseBucketUrl(root: string): BucketLocation {
  const [, bucket = '', path = ''] = BUCKET_URL.exec(root) ?? []
  if (!BUCKET.test(bucket)) {
    const credentials = 'credentials come from the environment or the files of the AWS tools'
    fail('INVALID_INPUT', `a bucket is named as s3://BUCKET or s3://BUCKET/PREFIX; ${credentials}`, { field: 'root' })
  }
  const folder = parseVirtualPath(path)
  return { bucket, prefix: folder === ROOT ? '' : `${folder.slice(1)}/` }
}
