import { totalmem } from 'node:os'

const MEBIBYTE = 1024 * 1024
/** MiB. Below, there is one thread of a kind where there are else two. */
const ROOM_FOR_TWO = 1024

/**
 * Divides the memory of the machine among what users can ask for. Each gets its share, up to what it ever needs, and at least
 * what it needs to start. All bounds at once are more than a small machine has: they are seldom reached together.
 *
 * @param bytes what the process may use
 */
export function planFor(bytes: number) {
  const size = bytes / MEBIBYTE
  const share = (part: number, { least, most }: { readonly least: number; readonly most: number }) =>
    Math.floor(Math.min(most, Math.max(least, size * part)))
  return {
    /** Bytes for reading archives, all together. */
    archives: share(1 / 4, { least: 48, most: 320 }) * MEBIBYTE,
    /** Bytes for downloading folders as archives, all together. */
    downloads: share(1 / 16, { least: 16, most: 192 }) * MEBIBYTE,
    /** Bytes of bodies that have arrived and are not yet written, all together. Above, each upload keeps one chunk. */
    uploads: share(1 / 16, { least: 16, most: 512 }) * MEBIBYTE,
    /** Resident bytes of a process that decodes a picture. Without one, it has 60 MiB. */
    picture: share(3 / 16, { least: 96, most: 400 }) * MEBIBYTE,
    /** Most such processes. */
    pictures: Math.max(1, Math.floor(size / 512)),
    /** Bytes for each cache that can be made again. */
    cache: share(1 / 64, { least: 4, most: 48 }) * MEBIBYTE,
    /** Heaps of one worker thread, in MiB. */
    heaps: {
      listing: share(3 / 16, { least: 48, most: 512 }),
      search: share(1 / 8, { least: 32, most: 256 }),
      index: share(1 / 4, { least: 48, most: 192 }),
      download: share(1 / 8, { least: 32, most: 128 }),
    },
    /** Worker threads of each kind at the same time, for each disk. */
    threads: size < ROOM_FOR_TWO ? 1 : 2,
    /** Threads that compress blocks of downloads. */
    compressors: size < ROOM_FOR_TWO ? 1 : 4,
  }
}

/** For this process: in a control group (a container, a service with `MemoryMax=`) by its limit, else by the machine. */
export const MEMORY_PLAN = planFor(Math.min(process.constrainedMemory() || Infinity, totalmem()))
