import { describe, expect, it } from 'vitest'
import { planFor } from '../../../../src/platform/limits/memory-plan.ts'

const MEBIBYTE = 1024 * 1024
/** MiB of the main thread under load. */
const MAIN = 120

/** MiB of all that can be in use at once. The heap of an index is part of what archives may take. */
function totalOf(size: number): number {
  const { archives, downloads, uploads, picture, pictures, heaps, threads } = planFor(size * MEBIBYTE)
  const bytes = archives + downloads + uploads + picture * pictures
  return MAIN + bytes / MEBIBYTE + threads * (heaps.listing + heaps.search + heaps.download)
}

describe('the plan for the memory', () => {
  it('has its full bounds from 4 GiB on, however much there is', () => {
    const { pictures, ...plan } = planFor(4096 * MEBIBYTE)
    expect(pictures).toBe(8)
    expect(plan).toEqual({
      archives: 320 * MEBIBYTE,
      downloads: 192 * MEBIBYTE,
      uploads: 256 * MEBIBYTE,
      picture: 400 * MEBIBYTE,
      cache: 48 * MEBIBYTE,
      heaps: { listing: 512, search: 256, index: 192, download: 128 },
      threads: 2,
      compressors: 4,
    })
    const { uploads, ...most } = planFor(1024 * 1024 * MEBIBYTE)
    expect(uploads).toBe(512 * MEBIBYTE)
    expect(most).toMatchObject({ archives: plan.archives, heaps: plan.heaps, threads: 2 })
  })

  it.each([256, 512])('has one of each at %i MiB, whose bounds together are less than twice that', (size) => {
    expect(planFor(size * MEBIBYTE)).toMatchObject({ threads: 1, pictures: 1 })
    expect(totalOf(size)).toBeLessThan(size * 2)
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
    expect(Math.min(...Object.values(heaps))).toBeGreaterThanOrEqual(32)
  })
})
