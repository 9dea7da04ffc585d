import { resolve } from 'node:path'
import { isBucketUrl } from '../../domain/settings/bucket-url.ts'

/** The served folder as an absolute path. A bucket is whole as it is. */
export function wholeRoot(workingFolder: string, root: string): string {
  return isBucketUrl(root) ? root : resolve(workingFolder, root)
}
