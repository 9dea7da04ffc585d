import { describe, expect, it } from 'vitest'
import { hitsOf, startsOf } from '../../../../../ui/src/files/list/model/grid-hits.ts'
import { listLayout, tileLayout } from '../../../../../ui/src/files/list/model/grid-layout.ts'

const LIST = { gap: 0, side: 0, heightOf: () => 40 }
const TILES = { gap: 10, side: 20, heightOf: ({ kind }: { kind: string }) => (kind === 'heading' ? 30 : 110) }
const ALL = { before: -1000, after: 1000 }

describe('a rectangle over a list', () => {
  const layout = listLayout(100_000)
  const starts = startsOf(layout, LIST)
  const hits = (top: number, bottom: number) => hitsOf(layout, LIST, starts, 300, { top, bottom, ...ALL })

  it('touches the rows that it covers in part', () => {
    expect(hits(45, 125)).toEqual([1, 2, 3])
    expect(hits(79, 79)).toEqual([1])
  })

  it('touches nothing above or below', () => {
    expect(hits(-30, -1)).toEqual([])
    expect(hits(100_000 * 40 + 1, 100_000 * 40 + 50)).toEqual([])
    expect(hitsOf(listLayout(0), LIST, startsOf(listLayout(0), LIST), 300, { top: 0, bottom: 9, ...ALL })).toEqual([])
  })

  it('touches also what is not rendered', () => {
    expect(hits(-5, 1_000_000_000)).toHaveLength(100_000)
  })
})

describe('a rectangle over tiles', () => {
  // A heading, two rows of folders (the second with one), a heading, two rows of files. Tiles are 80 wide: 20-100, 110-190, 200-280.
  const layout = tileLayout([...Array<boolean>(4).fill(true), ...Array<boolean>(5).fill(false)], 3)
  const starts = startsOf(layout, TILES)
  const hits = (top: number, bottom: number, before: number, after: number) =>
    hitsOf(layout, TILES, starts, 300, { top, bottom, before, after })

  it('touches tiles, but neither headings nor the space between them', () => {
    expect(hits(0, 29, 0, 300)).toEqual([])
    expect(hits(30, 130, 101, 109)).toEqual([])
    expect(hits(131, 139, 0, 300)).toEqual([])
    expect(hits(30, 30, 100, 110)).toEqual([0, 1])
  })

  it('touches the same columns on each line, as far as they go', () => {
    expect(hits(60, 600, 150, 250)).toEqual([1, 2, 5, 6, 8])
    expect(hits(0, 600, 0, 10)).toEqual([])
    expect(hits(0, 600, 0, 20)).toEqual([0, 3, 4, 7])
  })
})
