import { describe, expect, it } from 'vitest'
import { bytesOfThread, planFor } from '../../../../src/platform/limits/memory-plan.ts'

const MEBIBYTE = 1024 * 1024
/** MiB of the main thread under load. */
const MAIN = 96
/** Bytes of a slow hash of a password. */
const HASH = 64 * MEBIBYTE
/** Bytes of the code of an image process, and of a decoder without a window. */
const [CODE, DECODER] = [40 * MEBIBYTE, 2 * MEBIBYTE]

describe('the plan for the memory', () => {
  it('has its full bounds from 4 GiB on, however much there is', () => {
    const { pictures, ...plan } = planFor(4096 * MEBIBYTE)
    expect(pictures).toBe(8)
    expect(plan).toEqual({
      archives: 320 * MEBIBYTE,
      downloads: 192 * MEBIBYTE,
      uploads: 256 * MEBIBYTE,
      picture: 400 * MEBIBYTE,
      foreign: 512 * MEBIBYTE,
      cache: 48 * MEBIBYTE,
      heavy: (4096 - MAIN - 256 - 192) * MEBIBYTE,
      kept: 600_000,
      heaps: { listing: 512, search: 256, index: 192, download: 128, compressor: 64, text: 64 },
      jobs: { listing: Infinity, search: Infinity, plan: Infinity, download: Infinity },
      threads: 2,
      compressors: 4,
    })
    const { uploads, ...most } = planFor(1024 * 1024 * MEBIBYTE)
    expect(uploads).toBe(512 * MEBIBYTE)
    expect(most).toMatchObject({ archives: plan.archives, heaps: plan.heaps, threads: 2 })
  })

  it.each([256, 512, 1024, 4096])('never has more in use than there is, with %i MiB', (size) => {
    const { heavy, downloads, uploads } = planFor(size * MEBIBYTE)
    expect(MAIN * MEBIBYTE + heavy + downloads + uploads).toBeLessThanOrEqual(size * MEBIBYTE)
  })

  it.each([256, 512])('has room for any one kind of heavy work beside a slow download, with %i MiB', (size) => {
    const { heavy, picture, foreign, heaps, threads, pictures } = planFor(size * MEBIBYTE)
    expect([threads, pictures]).toEqual([1, 1])
    const { download, ...others } = heaps
    const kinds = [HASH, foreign, picture - CODE, ...Object.values(others).map(bytesOfThread)]
    // An index is made by a decoder too.
    expect(bytesOfThread(others.index) + DECODER).toBeLessThanOrEqual(heavy - bytesOfThread(download))
    expect(Math.max(...kinds)).toBeLessThanOrEqual(heavy - bytesOfThread(download))
  })

  it('has room for the largest archive within the limits with 2 GiB', () => {
    // 100,000 nodes of 600 bytes, and 16 Mi characters of two bytes.
    const needed = 100_000 * 600 + 2 * 16 * MEBIBYTE
    expect(planFor(2048 * MEBIBYTE).archives * 0.75).toBeGreaterThan(needed)
  })

  it('always has what each needs to start', () => {
    const { archives, picture, heaps } = planFor(64 * MEBIBYTE)
    expect(archives).toBeGreaterThan(20 * MEBIBYTE)
    expect(picture).toBeGreaterThan(60 * MEBIBYTE)
    expect(Math.min(...Object.values(heaps))).toBeGreaterThanOrEqual(16)
  })
})
