import type { WorkerPool } from '../../../platform/worker-pool.ts'
import type { CompressInput } from '../worker/archive/codecs/compress-block.ts'
import type { ArchiveSum } from '../worker/archive/make-archive.ts'
import type { BlockFormat } from './block-formats.ts'

/** Blocks of one archive that are on their way; all of them are memory. */
const AHEAD = 3

/** Compresses blocks at the same time and gives them in their order. */
export async function* compressBlocks(
  compressors: WorkerPool,
  format: BlockFormat,
  blocks: AsyncGenerator<Uint8Array, ArchiveSum, void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  const underway: Promise<Uint8Array>[] = []
  const leaving = new AbortController()
  const common = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal])
  let dictionary: Uint8Array | undefined
  const compress = (block: Uint8Array) => {
    const compressing = compressed(compressors, { codec: format.codec, block, dictionary }, common)
    // The consumer gets the error; until then no one listens.
    compressing.catch(() => undefined)
    // A copy, as the block that is on its way to the other thread is one by now: its own memory was only lent.
    dictionary = format.dictionaryOf?.(block)
    return compressing
  }
  try {
    if (format.head.length > 0) yield format.head
    let next = await blocks.next()
    for (; !next.done; next = await blocks.next()) {
      underway.push(compress(next.value))
      const first = underway.length >= AHEAD ? underway.shift() : undefined
      if (first) yield await first
    }
    for (const compressing of underway) yield await compressing
    const tail = format.tail(next.value)
    if (tail.length > 0) yield tail
  } finally {
    // Nobody waits for the blocks that are still being compressed: they are copies.
    leaving.abort()
    await blocks.return({ crc: 0, size: 0 })
  }
}

async function compressed(compressors: WorkerPool, input: CompressInput, signal: AbortSignal): Promise<Uint8Array> {
  let packed: unknown
  for await (const part of compressors.run('compressBlock', input, signal)) packed = part
  return packed as Uint8Array
}
