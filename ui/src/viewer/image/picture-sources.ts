import type { Resource } from '../../../../src/domain/resource.ts'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { isDrawing, needsServerPicture } from '../model/view-kind.ts'
import type { FileUrls } from '../use-file-urls.ts'

/** Up to this size the original comes as fast as a smaller picture. */
const SMALL = 512 * 1024

/** The addresses to try for a picture, the best first. @param original wanted in its full size */
export function pictureSources(urls: FileUrls, path: VirtualPath, file: Resource, original: boolean): string[] {
  if (needsServerPicture(file.name)) return [urls.picture(path, file.modified)]
  if (original || !canBeResized(file)) return [urls.raw(path)]
  return [urls.picture(path, file.modified), urls.raw(path)]
}

/** False for what would lose its movement or its sharpness, and for what is small already. */
export function canBeResized(file: Resource): boolean {
  return !isDrawing(file.name) && !/\.(gif|apng|ico)$/i.test(file.name) && file.size > SMALL
}
