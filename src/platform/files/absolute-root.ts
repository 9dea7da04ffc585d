import { resolve } from 'node:path'
import { isBucketUrl } from '../../domain/server/bucket-url.ts'
import { requireLocalPath } from '../../domain/server/local-path.ts'

/** The served folder as an absolute path. The URL of a bucket is returned unchanged. @throws INVALID_INPUT for another address */
export function absoluteRoot(workingFolder: string, root: string): string {
  if (isBucketUrl(root)) return root
  requireLocalPath(root, '--root', 'name a folder, or a bucket such as s3://BUCKET')
  return resolve(workingFolder, root)
}
