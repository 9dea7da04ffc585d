import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ReadableFormat } from '../../../../src/domain/files/archives/archive-format.ts'
import { readArchive } from '../../../../src/platform/archives/read/archive-reader.ts'
import { needOf } from '../../../../src/platform/archives/read/reader-need.ts'
import { tarFile } from '../../../helpers/samples/tar-file.ts'
import { zstdFrame } from '../../../helpers/samples/zstd-frame.ts'
import { entriesOf, fileOf } from '../../../helpers/unit/archive-of.ts'

const MEBIBYTE = 1024 * 1024
const TAR = tarFile([{ name: 'a', content: 'a' }])
const TOO_LARGE = { code: 'TOO_LARGE' }
const mebibytes = async (bytes: Uint8Array, format: ReadableFormat = 'tarzst') =>
  Math.floor((await needOf(fileOf(bytes), format)).bytes / MEBIBYTE)

describe('the memory that reading an archive takes', () => {
  it('is that of the window', async () => {
    expect(await mebibytes(TAR, 'tar')).toBe(2)
    expect(await mebibytes(gzipSync(TAR), 'targz')).toBe(2)
    expect(await mebibytes(brotliCompressSync(TAR), 'tarbr')).toBe(18)
    expect(await mebibytes(zstdFrame(TAR, 25))).toBe(34)
    expect(await mebibytes(zstdFrame(TAR, 27))).toBe(130)
  })

  it('is that of the content where a frame names no window', async () => {
    expect(await mebibytes(zstdCompressSync(Buffer.alloc(30 * MEBIBYTE)))).toBeGreaterThanOrEqual(10)
    const single = Buffer.alloc(20)
    single.set([0x28, 0xb5, 0x2f, 0xfd, 0xa0])
    single.writeUInt32LE(100 * MEBIBYTE, 5)
    expect(await mebibytes(single)).toBe(130)
  })

  it('of a damaged archive is small, so that its decoder reports the damage', async () => {
    for (const bytes of ['', '(µ', 'no zstd at all']) expect(await mebibytes(Buffer.from(bytes))).toBe(10)
  })

  it('is refused if it is more than one archive may have', async () => {
    for (const log of [28, 31, 41])
      await expect(needOf(fileOf(zstdFrame(TAR, log)), 'tarzst')).rejects.toMatchObject(TOO_LARGE)
  })

  it('is all that the decoder gets', async () => {
    const file = fileOf(zstdFrame(TAR, 24))
    await using reader = await readArchive(file, 'tarzst', { bytes: 0, windowLog: 23 })
    await expect(Array.fromAsync(reader.entries())).rejects.toMatchObject(TOO_LARGE)
    expect((await entriesOf(zstdFrame(TAR, 24), 'tarzst')).map(({ name }) => name)).toEqual(['a'])
  })
})
