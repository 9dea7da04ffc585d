import { resolve } from 'node:path'
import { isBucketUrl } from '../../domain/settings/bucket-url.ts'

/** The served folder as an absolute path. The URL of a bucket is returned unchanged. */
export function absoluteRoot(workingFolder: string, root: string): string {
  return isBucketUrl(root) ? root : resolve(workingFolder, root)
}
