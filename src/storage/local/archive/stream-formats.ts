import type { Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { constants, createBrotliCompress, createZstdCompress } from 'node:zlib'

/** One stream each: many readers take the first brotli stream or zstd frame for all there is. */
export const STREAM_FORMATS = {
  // The quality unless said would take a minute for what this does in a second.
  tarbr: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  tarzst: () =>
    createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }),
} as const satisfies Record<string, () => Transform>

/** Puts parts through a compressor, each when the one before has left it; so never more than one part's output waits. */
export async function* compressStream(
  compressor: Transform,
  parts: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  const packed: Buffer[] = []
  compressor.on('data', (chunk: Buffer) => packed.push(chunk))
  try {
    for await (const part of parts) {
      await written(compressor, part)
      yield* packed.splice(0)
    }
    compressor.end()
    await finished(compressor)
    yield* packed.splice(0)
  } finally {
    compressor.destroy()
  }
}

async function written(compressor: Transform, part: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    compressor.write(part, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}
