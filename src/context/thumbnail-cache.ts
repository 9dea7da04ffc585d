import { join } from 'node:path'
import type { ByteCache } from '../platform/byte-cache.ts'
import type { Clock } from '../platform/clock.ts'
import { DiskCache } from '../platform/disk-cache.ts'
import { memoryCache } from '../platform/memory-cache.ts'
import { systemRandom } from '../platform/random.ts'

const GIBIBYTE = 1024 ** 3
/** A start that keeps nothing holds some thousand thumbnails. */
const IN_MEMORY = 48 * 1024 ** 2
/** Not `folder` itself, which may hold other things: what is cleared is ours. */
const OWN_FOLDER = 'thumbnails'

export function thumbnailFolder(parent: string): string {
  return join(parent, OWN_FOLDER)
}

/** Where thumbnails are kept: in the folder that the options name, else in the data folder, else in memory. */
export function thumbnailCache(dataFolder: string | undefined, cacheDir: string, clock: Clock): ByteCache {
  const parent = cacheDir !== '' ? cacheDir : dataFolder === undefined ? undefined : join(dataFolder, 'cache')
  if (parent === undefined) return memoryCache(IN_MEMORY)
  return new DiskCache({ folder: thumbnailFolder(parent), limit: GIBIBYTE, clock, random: systemRandom })
}
