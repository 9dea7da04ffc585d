import { parseVirtualPath, ROOT } from '../files/virtual-path.ts'
import { fail } from '../errors.ts'

/** The part of an S3 bucket that is served. */
export interface BucketLocation {
  readonly bucket: string
  /** Keys of all files begin with it: "", or a text that ends in a slash. */
  readonly prefix: string
}

const BUCKET_SCHEME = /^s3:\/\//i
const BUCKET_URL = /^s3:\/\/([^/@]+)(\/.*)?$/is
const BUCKET = /^[A-Za-z0-9][\w.-]{1,61}[A-Za-z0-9]$/

/** True for a root such as "s3://bucket/prefix", false for a folder of this machine. */
export function isBucketUrl(root: string): boolean {
  return BUCKET_SCHEME.test(root)
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

/** Of at least two letters, as in "mysql://db/files" and in "s3:/bucket", which lacks a slash. */
const SCHEME = /^([a-z][a-z0-9+.-]+:)\//i

/**
 * An address that filemgr does not know, or that is misspelt, must not become a folder named "mysql:". A folder may still have
 * such a name, as in "./mysql:/a".
 *
 * @param advice what the value may be
 * @throws INVALID_INPUT, without the text, which may contain a password
 */
export function requireLocalPath(path: string, name: string, advice: string, field = name.replace(/^--/, '')): void {
  const scheme = SCHEME.exec(path)?.[1]
  if (scheme !== undefined)
    fail('INVALID_INPUT', `${name} does not take addresses with "${scheme}"; ${advice}`, { field })
}

/** Labels of letters, digits, "-" and "_", of which the last is no number: that would be a mistyped IPv4 address. */
const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?!\d+\.?$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?$/i

export function isHostName(text: string): boolean {
  return HOST_NAME.test(text)
}
