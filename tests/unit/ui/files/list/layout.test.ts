import { describe, expect, it } from 'vitest'
import { listLayout, tileLayout } from '../../../../../ui/src/files/list/model/grid-layout.ts'

const linesOf = (layout: ReturnType<typeof tileLayout>): string[] =>
  Array.from({ length: layout.lines }, (_, line) => {
    const found = layout.lineAt(line)
    return found.kind === 'heading' ? found.group : `${found.start}-${found.end}`
  })

describe('the lines of the grid', () => {
  it('puts one entry on each line of a list', () => {
    const layout = listLayout(3)
    expect(linesOf(layout)).toEqual(['0-1', '1-2', '2-3'])
    expect(layout.lineOf(2)).toBe(2)
  })

  it('puts headings over folders and files, each on a new line', () => {
    const layout = tileLayout([true, true, true, false, false], 2)
    expect(linesOf(layout)).toEqual(['folders', '0-2', '2-3', 'files', '3-5'])
    expect(layout.lineOf(4)).toBe(4)
  })

  it('puts files first if they are sorted first', () => {
    expect(linesOf(tileLayout([false, true], 4))).toEqual(['files', '0-1', 'folders', '1-2'])
  })

  it('has no headings if a sort by date mixes both', () => {
    expect(linesOf(tileLayout([true, false, true], 2))).toEqual(['0-2', '2-3'])
  })

  it('has a heading for a folder with only files', () => {
    expect(linesOf(tileLayout([false, false, false], 2))).toEqual(['files', '0-2', '2-3'])
  })

  it('has no lines for an empty folder', () => {
    expect(tileLayout([], 3).lines).toBe(0)
  })

  it('finds the line of each entry', () => {
    const layout = tileLayout(
      Array.from({ length: 100 }, (_, index) => index < 37),
      7,
    )
    for (let index = 0; index < 100; index += 1) {
      const line = layout.lineAt(layout.lineOf(index))
      expect(line.kind === 'entries' && line.start <= index && index < line.end).toBe(true)
    }
  })
})
