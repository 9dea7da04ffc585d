import type { Readable } from 'node:stream'
import type { Disk } from '../system/disk.ts'
import { BodyBatches, type BodyLimits, sizeOf } from './body-batches.ts'

/**
 * Unsynced bytes after which a sync starts while more is received, so that the last one, for which the sender waits, is short. As
 * each sync costs a commit of the file system's journal, a part of 10 MiB does without.
 */
const SYNC_INTERVAL = 16 * 1024 * 1024
/** Bytes after which the free space is looked at again: others write to the disk, too. */
const ROOM_INTERVAL = 8 * 1024 * 1024

/** How bytes come to the disk. */
export interface Writing {
  readonly disk: Disk
  /** Told how many bytes came and went. */
  readonly minorGcAfter: (bytes: number) => void
}

interface ReceiveOptions extends BodyLimits {
  /** Where in the file the first byte goes. */
  readonly start?: number
  /** Throws when the disk may take no more. */
  readonly requireRoom: () => Promise<void>
  /** Told how many of the bytes are on the disk for sure while more come. The last sync is left to the caller. */
  readonly onSynced?: (bytes: number) => void
}

/**
 * Writes a request body to an open file, one call at a time: the file grows at its end only, so its size says what was written.
 *
 * @returns bytes written
 * @throws as `BodyBatches.next`, and what the disk throws
 */
export async function receiveBody(
  source: Readable,
  fd: number,
  { disk, minorGcAfter }: Writing,
  options: ReceiveOptions,
): Promise<number> {
  const { start = 0, requireRoom, onSynced } = options
  using batches = new BodyBatches(source, options)
  let written = 0
  let synced = 0
  let roomIsFor = ROOM_INTERVAL
  let syncing: Promise<void> | undefined

  const syncMeanwhile = async (bytes: number): Promise<void> => {
    await disk.syncData(fd)
    synced = bytes
    syncing = undefined
    onSynced?.(bytes)
  }

  try {
    for (let batch = await batches.next(); batch !== undefined; batch = await batches.next()) {
      if (written >= roomIsFor) {
        await requireRoom()
        roomIsFor = written + ROOM_INTERVAL
      }
      // A nearly full disk takes a part of it and says so.
      for (let rest = batch; rest.length > 0;) {
        const count = await disk.write(fd, rest, start + written)
        written += count
        rest = withoutFirst(rest, count)
      }
      minorGcAfter(sizeOf(batch))
      if (syncing !== undefined || written - synced < SYNC_INTERVAL) continue
      syncing = syncMeanwhile(written)
      syncing.catch((error: unknown) => batches.fail(error as Error))
    }
    await syncing
    return written
  } catch (error) {
    await syncing?.catch(() => undefined)
    throw error
  }
}

function withoutFirst(buffers: readonly Buffer[], count: number): Buffer[] {
  let left = count
  return buffers.flatMap((buffer) => {
    const cut = Math.min(left, buffer.length)
    left -= cut
    return cut === buffer.length ? [] : [buffer.subarray(cut)]
  })
}
