import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { FilemgrError } from '../../domain/errors.ts'
import { createMinorGc } from '../garbage.ts'
import { lowerPriority } from '../processes/processes.ts'
import type { FromProcess, ToProcess } from './image-messages.ts'

/**
 * Main function of an image process. Decoders work on untrusted bytes, so a crash must end only this process. Handles one
 * picture at a time, and ends with its parent.
 */
async function serve(): Promise<void> {
  lowerPriority(process.pid, 10)
  const { makePicture, setUpSharp } = await import('./make-picture.ts')
  const { editPicture } = await import('./edit-picture.ts')
  setUpSharp()
  const readExactly = createExactReader(process.stdin)
  const minorGcAfter = createMinorGc()
  process.on('message', ({ id, task, length }: ToProcess) => {
    void (async () => {
      try {
        const bytes = await readExactly(length)
        const picture = await ('turns' in task ? editPicture(bytes, task) : makePicture(bytes, task))
        send({ type: 'picture', id, picture })
        minorGcAfter(length)
      } catch (error) {
        const { code, message } =
          error instanceof FilemgrError ? error : { code: 'UNSUPPORTED', message: String(error) }
        send({
          type: 'refused',
          id,
          code: code === 'TOO_LARGE' || code === 'INVALID_INPUT' ? code : 'UNSUPPORTED',
          message,
        })
      }
    })()
  })
  send({ type: 'ready' })
}

/** Bytes of the buffer that is reused. Larger pictures are rare, so their memory is freed. */
const MAX_REUSED = 16 * 1024 * 1024

/** Returns a function that reads exactly `length` bytes of a stream, into memory that the next call reuses. */
function createExactReader(source: Readable): (length: number) => Promise<Uint8Array> {
  let reused = Buffer.alloc(0)
  return async (length) => {
    let bytes = reused.subarray(0, length)
    if (bytes.length < length) bytes = Buffer.allocUnsafeSlow(length)
    if (length > reused.length && length <= MAX_REUSED) reused = bytes
    for (let filled = 0; filled < length;) {
      const part = source.read(Math.min(length - filled, source.readableLength)) as Buffer | null
      if (part === null) await once(source, 'readable')
      else filled += part.copy(bytes, filled)
    }
    return bytes
  }
}

function send(message: FromProcess): void {
  // Without its parent, nothing waits for the message.
  if (process.connected) process.send?.(message)
}

void serve().catch((error: unknown) => {
  send({ type: 'unavailable', message: error instanceof Error ? error.message : String(error) })
  process.disconnect()
})
