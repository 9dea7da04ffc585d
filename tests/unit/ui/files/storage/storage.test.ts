import { describe, expect, it } from 'vitest'
import type { FlatResource } from '../../../../../src/domain/files/resource.ts'
import { parseVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { partsOf, shownParts } from '../../../../../ui/src/files/storage/storage-parts.ts'
import { treeMap } from '../../../../../ui/src/files/storage/tree-map.ts'

describe('a tree map', () => {
  it('gives each weight its share of the area, and covers the map without overlaps', () => {
    const weights = [600, 300, 250, 120, 80, 40, 30, 9, 1]
    const total = weights.reduce((sum, weight) => sum + weight)
    const boxes = treeMap(weights, 1.6)
    expect(boxes).toHaveLength(weights.length)
    for (const [index, { x, y, width, height }] of boxes.entries()) {
      expect((width * height) / 10_000).toBeCloseTo((weights[index] ?? 0) / total, 6)
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(-1e-9)
      expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(100 + 1e-9)
      for (const other of boxes.slice(index + 1)) {
        const across = Math.min(x + width, other.x + other.width) - Math.max(x, other.x)
        const down = Math.min(y + height, other.y + other.height) - Math.max(y, other.y)
        expect(Math.min(across, down)).toBeLessThan(1e-6)
      }
    }
  })

  it('has no narrow strips where the weights are alike', () => {
    const aspect = 1.6
    const ratios = treeMap(
      Array.from({ length: 24 }, () => 1),
      aspect,
    ).map(({ width, height }) => {
      const ratio = (width * aspect) / height
      return Math.max(ratio, 1 / ratio)
    })
    expect(Math.max(...ratios)).toBeLessThan(2)
  })

  it('is empty without weights, and one box for one', () => {
    expect(treeMap([], 1.6)).toEqual([])
    expect(treeMap([7], 1.6)).toEqual([{ x: 0, y: 0, width: 100, height: 100 }])
  })
})

describe('the parts of a folder', () => {
  const folder = parseVirtualPath('/a')
  const file = (path: string, size: number): FlatResource => {
    return { path, name: path.slice(path.lastIndexOf('/') + 1), size, modified: '2026-01-01T00:00:00Z', isDir: false }
  }

  it('are its folders and its large files by size, and the rest of its files together', () => {
    const parts = partsOf(folder, {
      sizes: [
        { name: 'small', bytes: 10, files: 1, folders: 0 },
        { name: 'large', bytes: 500, files: 2, folders: 0 },
      ],
      notable: {
        total: { bytes: 700, files: 8, folders: 2 },
        own: { bytes: 190, files: 5 },
        largest: [file('/a/large/x', 400), file('/a/film', 150), file('/a/large/y', 100)],
        oldest: [],
        counted: '2026-01-01T00:00:00Z',
      },
    })
    expect(parts.map(({ kind, name, bytes, count }) => [kind, name, bytes, count])).toEqual([
      ['folder', 'large', 500, 1],
      ['file', 'film', 150, 1],
      ['folder', 'small', 10, 1],
      ['rest', '', 40, 4],
    ])
    expect(shownParts(parts).map(({ bytes }) => bytes)).toEqual([500, 150, 40, 10])
  })

  it('are folders alone until the files are known, at most two hundred of them', () => {
    const sizes = Array.from({ length: 250 }, (_, index) => {
      return { name: `f${index}`, bytes: index, files: 1, folders: 0 }
    })
    const parts = partsOf(folder, { sizes })
    expect(parts).toHaveLength(201)
    expect(parts.at(-1)).toMatchObject({ kind: 'rest', count: 50, bytes: (49 * 50) / 2 })
  })
})
