import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Disk } from '../system/disk.ts'
import { BodyBatches, type BodyLimits } from '../../../platform/network/body-batches.ts'

/**
 * Unsynced bytes after which a sync starts during the upload, so that the final sync, for which the client waits, is short. More
 * than 10 MiB, the usual part of an upload, because each sync costs a commit of the file system's journal.
 */
const SYNC_INTERVAL = 16 * 1024 * 1024
/** Bytes after which the free space is checked again, because other programs write to the disk too. */
const ROOM_INTERVAL = 8 * 1024 * 1024

interface ReceiveOptions extends BodyLimits {
  /** Offset of the first byte in the file. */
  readonly start?: number
  /** Throws if the disk has too little free space. */
  readonly requireRoom: () => Promise<void>
  /** Called during the upload with the number of bytes that are safely on the disk. The caller makes the final sync. */
  readonly onSynced?: (bytes: number) => void
}

/**
 * Writes a request body to an open file. Writes one batch at a time, so that the file only grows at its end and its size is the
 * number of bytes written.
 *
 * @returns bytes written
 * @throws as `BodyBatches.next`, and disk errors
 */
export async function receiveBody(source: Readable, fd: number, disk: Disk, options: ReceiveOptions): Promise<number> {
  const { start = 0, requireRoom, onSynced } = options
  using batches = new BodyBatches(source, options)
  let written = 0
  let synced = 0
  let nextRoomCheck = ROOM_INTERVAL
  let syncing: Promise<void> | undefined

  const syncMeanwhile = async (bytes: number): Promise<void> => {
    await disk.syncData(fd)
    synced = bytes
    syncing = undefined
    onSynced?.(bytes)
  }

  try {
    for (let batch = await batches.next(); batch !== undefined; batch = await batches.next()) {
      if (written >= nextRoomCheck) {
        await requireRoom()
        nextRoomCheck = written + ROOM_INTERVAL
      }
      // A nearly full disk may accept only some of the bytes.
      for (let rest = batch; rest.length > 0;) {
        const count = await disk.write(fd, rest, start + written)
        written += count
        rest = withoutFirst(rest, count)
      }
      if (source instanceof IncomingMessage) for (const chunk of batch) freeNow(chunk)
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

/**
 * Frees the memory of a chunk that only we use. It is outside V8's heap: left to the garbage collector, a gigabyte of such chunks
 * takes dozens of full collections, and seconds.
 */
function freeNow({ buffer, length }: Buffer): void {
  // Only if the chunk is the whole buffer: otherwise other chunks use the same memory.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}

function withoutFirst(buffers: readonly Buffer[], count: number): Buffer[] {
  let remaining = count
  return buffers.flatMap((buffer) => {
    const cut = Math.min(remaining, buffer.length)
    remaining -= cut
    return cut === buffer.length ? [] : [buffer.subarray(cut)]
  })
}
