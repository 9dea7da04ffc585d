import type { WorkerJob } from '../../workers/worker-host.ts'
import { createBzip2 } from './bzip2.ts'
import { deflateBlock } from './deflate-block.ts'
import { createLz4 } from './lz4.ts'
import { createSnappy } from './snappy.ts'
import { createXz } from './xz.ts'

export type BlockCodec = 'deflate' | 'bzip2' | 'xz' | 'lz4' | 'snappy'

export interface CompressInput {
  readonly codec: BlockCodec
  readonly block: Uint8Array
  /** The end of the previous block; only for deflate. */
  readonly dictionary: Uint8Array | undefined
  /** Buffer for the result, if it fits. */
  readonly room: Uint8Array
}

type Codec = (block: Uint8Array, dictionary: Uint8Array | undefined) => Uint8Array

/** No native add-ons, because terminating a thread inside native code ends the process. */
const CODECS: Readonly<Record<BlockCodec, () => Codec>> = {
  deflate: () => deflateBlock,
  bzip2: createBzip2,
  xz: createXz,
  lz4: createLz4,
  snappy: createSnappy,
}

/** Compresses independent blocks. The job yields the compressed bytes as its only part. */
export function createCompressBlock(): (input: CompressInput) => WorkerJob {
  const known: Partial<Record<BlockCodec, Codec>> = {}
  return ({ codec, block, dictionary, room }) => {
    const compress = (known[codec] ??= CODECS[codec]())
    const packed = compress(block, dictionary)
    // A copy in a buffer of its own can be transferred to the main thread.
    if (packed.length > room.length) return only(new Uint8Array(packed))
    room.set(packed)
    return only(room.subarray(0, packed.length))
  }
}

function* only(part: Uint8Array): Generator<Uint8Array, void, void> {
  yield part
}
