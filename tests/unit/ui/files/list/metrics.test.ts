import { describe, expect, it } from 'vitest'
import { metricsOf } from '../../../../../ui/src/files/list/grid/grid-metrics.ts'

const wide = { width: 1022, narrow: false, row: 40 }
const phone = { width: 400, narrow: true, row: 56 }
const files = { kind: 'entries', start: 0, end: 1, folders: false } as const
const folders = { ...files, folders: true }

describe('the columns of the views', () => {
  it('are based on a card of about 280 px and a picture of 196', () => {
    expect(metricsOf('list', wide).columns).toBe(1)
    expect(metricsOf('mosaic', wide).columns).toBe(4)
    expect(metricsOf('mosaic gallery', wide).columns).toBe(4)
    expect(metricsOf('mosaic', { ...wide, width: 2000 }).columns).toBe(7)
  })

  it('are two cards and three pictures on a phone', () => {
    expect(metricsOf('mosaic', phone).columns).toBe(2)
    expect(metricsOf('mosaic gallery', phone).columns).toBe(3)
  })

  it('are at least one', () => {
    expect(metricsOf('mosaic', { ...wide, width: 90 }).columns).toBe(1)
    expect(metricsOf('mosaic gallery', { ...wide, width: 0 }).columns).toBe(1)
  })
})

describe('the height of a line', () => {
  it('is that of the row in the list', () => {
    expect(metricsOf('list', phone).heightOf(files)).toBe(56)
  })

  it('keeps pictures 4:3, or square on a phone', () => {
    const gallery = metricsOf('mosaic gallery', wide)
    const cell = (1022 - 40 - 3 * 8) / 4
    expect(gallery.heightOf(files) - gallery.gap).toBe(Math.round((cell * 3) / 4))
    const narrow = metricsOf('mosaic gallery', phone)
    expect(narrow.heightOf(files)).toBe(narrow.heightOf(folders))
  })

  it('is lower for folders than for files', () => {
    const mosaic = metricsOf('mosaic', wide)
    expect(mosaic.heightOf(folders)).toBeLessThan(mosaic.heightOf(files))
  })
})
