import { createRequire } from 'node:module'
import type { Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { WorkerJob } from '../../../../platform/worker-host.ts'
import { createBzip2 } from './bzip2.ts'
import { deflateBlock } from './deflate-block.ts'

export type BlockCodec = 'deflate' | 'bzip2' | 'xz' | 'lz4' | 'snappy'

export interface CompressInput {
  readonly codec: BlockCodec
  readonly block: Uint8Array
  /** The end of the block before; for deflate. */
  readonly dictionary: Uint8Array | undefined
}

interface Lzma {
  readonly createStream: (coder: 'easyEncoder', options: { preset: number; synchronous: boolean }) => Transform
}

/** One block, of which all others are independent: its compressed bytes are the only part. */
export async function compressBlock({ codec, block, dictionary }: CompressInput): Promise<WorkerJob> {
  const packed = await CODECS[codec](block, dictionary)
  // In memory of its own, which can be handed over.
  return only(new Uint8Array(packed))
}

type Codec = (block: Uint8Array, dictionary: Uint8Array | undefined) => Uint8Array | Promise<Uint8Array>

const CODECS: Readonly<Record<BlockCodec, Codec>> = {
  deflate: deflateBlock,
  bzip2: lazyBzip2(),
  xz: async (block) => {
    // Has no types. Synchronous: this thread is there to be busy, and the pool that all share is not.
    const require = createRequire(import.meta.url)
    const { createStream } = require('lzma-native') as Lzma
    const stream = createStream('easyEncoder', { preset: 1, synchronous: true })
    stream.end(block)
    return await buffer(stream)
  },
  lz4: async (block) => {
    const { compressSync } = await import('lz4-napi')
    // Its first four bytes are a size of its own, which frames have no place for.
    const packed = compressSync(Buffer.from(block.buffer, block.byteOffset, block.length)).subarray(4)
    return lz4Block(packed.length < block.length ? packed : block, packed.length < block.length)
  },
  snappy: async (block) => {
    const { Compressor } = await import('snappy')
    const compressor = new Compressor()
    return Buffer.concat([compressor.update(block), await compressor.finish()])
  },
}

const LZ4_STORED = 0x80000000

function lz4Block(content: Uint8Array, isPacked: boolean): Uint8Array {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(isPacked ? content.length : content.length + LZ4_STORED)
  return Buffer.concat([size, content])
}

function lazyBzip2(): Codec {
  let compress: ((block: Uint8Array) => Uint8Array) | undefined
  return (block) => (compress ??= createBzip2())(block)
}

function* only(part: Uint8Array): Generator<Uint8Array, void, void> {
  yield part
}
