import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { FilemgrError } from '../../domain/errors.ts'
import { createMinorGc } from '../minor-gc.ts'
import { stepBack } from '../processes/processes.ts'
import type { FromProcess, ToProcess } from './image-messages.ts'

/**
 * Runs in a process of its own, because decoders work on untrusted bytes: what they break is this process alone. It
 * gets bytes and gives bytes, one picture at a time, and ends when its parent does.
 */
async function serve(): Promise<void> {
  stepBack(process.pid, 10)
  const { makePicture, setUpSharp } = await import('./make-picture.ts')
  setUpSharp()
  const take = createTake(process.stdin)
  const minorGcAfter = createMinorGc()
  process.on('message', ({ id, task, length }: ToProcess) => {
    void (async () => {
      try {
        const bytes = await take(length)
        send({ type: 'picture', id, picture: await makePicture(bytes, task) })
        minorGcAfter(length)
      } catch (error) {
        const { code, message } =
          error instanceof FilemgrError ? error : { code: 'UNSUPPORTED', message: String(error) }
        send({ type: 'refused', id, code: code === 'TOO_LARGE' ? code : 'UNSUPPORTED', message })
      }
    })()
  })
  send({ type: 'ready' })
}

/** Larger pictures are rare, and their memory is given back. */
const KEPT = 16 * 1024 * 1024

/** Takes exactly so many bytes of a stream, into memory that is used again for the next picture. */
function createTake(source: Readable): (length: number) => Promise<Uint8Array> {
  let kept = Buffer.alloc(0)
  return async (length) => {
    let bytes = kept.subarray(0, length)
    if (bytes.length < length) bytes = Buffer.allocUnsafeSlow(length)
    if (length > kept.length && length <= KEPT) kept = bytes
    for (let filled = 0; filled < length;) {
      const part = source.read(Math.min(length - filled, source.readableLength)) as Buffer | null
      if (part === null) await once(source, 'readable')
      else filled += part.copy(bytes, filled)
    }
    return bytes
  }
}

function send(message: FromProcess): void {
  // The channel is gone when the parent is; then nothing waits for the answer.
  if (process.connected) process.send?.(message)
}

await serve().catch((error: unknown) => {
  send({ type: 'unavailable', message: error instanceof Error ? error.message : String(error) })
  process.disconnect()
})
