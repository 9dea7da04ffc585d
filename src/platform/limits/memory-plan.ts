import { totalmem } from 'node:os'
import { MEMBER } from '../processes/member.ts'

const MEBIBYTE = 1024 * 1024
/** MiB. Below, there is one thread of a kind where there are else two. */
const ROOM_FOR_TWO = 1024
/** MiB of the main thread with hundreds of clients, and of what the kernel keeps for their connections. */
const MAIN = 96
/** MiB of a thread besides its heap: its code and stack, and bytes outside of the heap. */
const BESIDE_HEAP = 20

/**
 * Divides the memory of the machine among what users can ask for. Each gets its share, up to what it ever needs, and at least
 * what it needs to start. All shares at once are more than a small machine has: heavy work therefore takes turns in what the main
 * thread and the buffers leave.
 *
 * @param bytes what the process may use
 */
export function planFor(bytes: number) {
  const size = bytes / MEBIBYTE
  const share = (part: number, { least, most }: { readonly least: number; readonly most: number }) =>
    Math.floor(Math.min(most, Math.max(least, size * part)))
  /** With less, no more than what fits beside the download of a folder: a slow one must not stop everything else. */
  const shareAbove = (base: number, part: number, bounds: { readonly least: number; readonly most: number }) =>
    Math.floor(Math.min(bounds.most, Math.max(bounds.least, (size - base) * part)))
  const uploads = share(1 / 16, { least: 16, most: 512 })
  const downloads = share(1 / 16, { least: 16, most: 192 })
  return {
    /** Bytes of all threads, image processes, decoders and slow hashes together. */
    heavy: Math.floor(Math.max(96, size - MAIN - uploads - downloads)) * MEBIBYTE,
    /** Bytes for reading archives, all together. */
    archives: share(1 / 4, { least: 48, most: 320 }) * MEBIBYTE,
    /** Bytes for downloading folders as archives, all together. */
    downloads: downloads * MEBIBYTE,
    /** Bytes of bodies that have arrived and are not yet written, all together. Above, each upload keeps one chunk. */
    uploads: uploads * MEBIBYTE,
    /** Resident bytes of a process that decodes a picture. Without one, it has 60 MiB. */
    picture: share(3 / 16, { least: 96, most: 400 }) * MEBIBYTE,
    /** Most such processes. */
    pictures: Math.max(1, Math.floor(size / 512)),
    /** Bytes of a program that decodes a video or a HEIF picture. */
    foreign: shareAbove(170, 3 / 4, { least: 64, most: 512 }) * MEBIBYTE,
    /** Bytes for each cache that can be made again. */
    cache: share(1 / 64, { least: 4, most: 48 }) * MEBIBYTE,
    /** Milliseconds for which names and indexes of archives stay in memory without use. */
    kept: size < ROOM_FOR_TWO ? 30_000 : 600_000,
    /** Heaps of one worker thread, in MiB. */
    heaps: {
      listing: share(3 / 16, { least: 40, most: 512 }),
      search: share(3 / 16, { least: 40, most: 256 }),
      index: shareAbove(170, 3 / 8, { least: 44, most: 192 }),
      download: share(1 / 8, { least: 40, most: 128 }),
      compressor: share(1 / 16, { least: 16, most: 64 }),
      text: share(1 / 8, { least: 40, most: 64 }),
    },
    /** Most jobs of each kind at the same time, for each disk: those of a thread share its heap. */
    jobs:
      size < ROOM_FOR_TWO
        ? { listing: Math.ceil(size / 128), search: 1, plan: 1, download: Math.ceil(size / 128) }
        : { listing: Infinity, search: Infinity, plan: Infinity, download: Infinity },
    /** Worker threads of each kind at the same time, for each disk. */
    threads: size < ROOM_FOR_TWO ? 1 : 2,
    /** Threads that compress blocks of downloads. */
    compressors: size < ROOM_FOR_TWO ? 1 : 4,
  }
}

/** @param heap MiB */
export function bytesOfThread(heap: number): number {
  return (heap + BESIDE_HEAP) * MEBIBYTE
}

/**
 * For this process: in a control group (a container, a service with `MemoryMax=`) by its limit, else by the machine. Daemons behind
 * one port have equal parts of it.
 */
export const MEMORY_PLAN = planFor(Math.min(process.constrainedMemory() || Infinity, totalmem()) / MEMBER.count)
