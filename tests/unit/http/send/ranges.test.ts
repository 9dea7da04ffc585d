import { describe, expect, it } from 'vitest'
import { decideRange } from '../../../../src/http/send/ranges.ts'

const parts = (...pairs: [number, number][]) => ({
  kind: 'parts',
  ranges: pairs.map(([start, end]) => ({ start, end })),
})

describe('decideRange', () => {
  it.each([
    ['bytes=0-4', parts([0, 4])],
    ['bytes=7-', parts([7, 13])],
    ['bytes=-3', parts([11, 13])],
    ['bytes=-99', parts([0, 13])],
    ['bytes=10-99', parts([10, 13])],
    ['bytes=0-1, 4-5', parts([0, 1], [4, 5])],
    ['bytes=4-5,0-1', parts([4, 5], [0, 1])],
    ['bytes=0-1,99-100', parts([0, 1])],
  ])('gives the parts of %s of 14 bytes', (header, decision) => {
    expect(decideRange(header, 14)).toEqual(decision)
  })

  it.each(['bytes=14-', 'bytes=99-100', 'bytes=-0', 'bytes=,'])('cannot satisfy %s of 14 bytes', (header) => {
    expect(decideRange(header, 14)).toEqual({ kind: 'unsatisfiable' })
  })

  it.each(['bytes=', 'bytes=-', 'bytes=a-b', 'bytes=5-4', 'lines=0-4', 'bytes 0-4', 'bytes=--5', 'bytes=1-2-3'])(
    'refuses the malformed %s',
    (header) => {
      expect(decideRange(header, 14)).toEqual({ kind: 'malformed' })
    },
  )

  it('sends the whole file without a header', () => {
    expect(decideRange(undefined, 14)).toEqual({ kind: 'whole' })
  })

  it('sends the whole of an empty file instead of refusing', () => {
    expect(decideRange('bytes=0-4', 0)).toEqual({ kind: 'whole' })
  })

  it('CVE-2011-3192: sends the whole file for parts that overlap', () => {
    expect(decideRange('bytes=0-9,5-13', 14)).toEqual({ kind: 'whole' })
  })

  it('CVE-2011-3192: sends the whole file for more than eight parts', () => {
    const header = `bytes=${Array.from({ length: 9 }, (_, index) => `${index * 2}-${index * 2}`).join(',')}`
    expect(decideRange(header, 100)).toEqual({ kind: 'whole' })
    expect(decideRange(header.replace(',16-16', ''), 100)).toMatchObject({ kind: 'parts' })
  })

  it('handles numbers beyond 64 bits', () => {
    expect(decideRange(`bytes=0-${'9'.repeat(30)}`, 14)).toEqual(parts([0, 13]))
    expect(decideRange(`bytes=${'9'.repeat(30)}-`, 14)).toEqual({ kind: 'unsatisfiable' })
  })
})
