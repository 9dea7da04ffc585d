import { describe, expect, it } from 'vitest'
import { id3Length, readId3 } from '../../../../ui/src/viewer/media/id3.ts'
import { faster, placeWorthKeeping, slower, startOf } from '../../../../ui/src/viewer/model/playback.ts'
import { subtitleLabel } from '../../../../ui/src/viewer/model/subtitle-label.ts'

describe('the place in a film', () => {
  it('is kept in the middle of what is long, and nowhere else', () => {
    expect(placeWorthKeeping(100.7, 600)).toBe(100)
    expect([placeWorthKeeping(3, 600), placeWorthKeeping(595, 600), placeWorthKeeping(20, 40)]).toEqual([
      null,
      null,
      null,
    ])
    expect(placeWorthKeeping(100, Infinity)).toBeNull()
  })

  it('is gone to when it still makes sense', () => {
    expect([startOf('100', 600), startOf(undefined, 600), startOf('100', 90), startOf('x', 600)]).toEqual([
      100, 0, 0, 0,
    ])
  })

  it('is passed at speeds between a half and three', () => {
    expect([slower(0.5), slower(1), faster(1), faster(3), faster(1.1)]).toEqual([0.5, 0.75, 1.25, 3, 1.25])
  })
})

describe('subtitles', () => {
  it('are called what their name adds to that of the film', () => {
    expect(subtitleLabel('film.de.srt', 'film.mp4')).toBe('de')
    expect(subtitleLabel('film.srt', 'film.mp4')).toBe('')
    expect(subtitleLabel('film - English.vtt', 'film.mp4')).toBe('English')
  })
})

describe('the tag of a song', () => {
  const text = (value: string) => [3, ...Buffer.from(value)]
  const cover = [0, ...Buffer.from('image/jpg\0', 'latin1'), 3, ...Buffer.from('front\0', 'latin1'), 1, 2, 3]

  it.each([3, 4])('of version 2.%i tells title, artist, album and cover', (version) => {
    const tag = tagOf(version, [
      ['TIT2', text('A song')],
      ['TPE1', [1, 0xff, 0xfe, ...Buffer.from('Jürgen', 'utf16le')]],
      ['TALB', [0, ...Buffer.from('Café', 'latin1')]],
      ['APIC', cover],
    ])
    expect(id3Length(tag)).toBe(tag.length)
    expect(readId3(tag)).toMatchObject({
      title: 'A song',
      artist: 'Jürgen',
      album: 'Café',
      cover: { type: 'image/jpeg' },
    })
    expect([...(readId3(tag).cover?.bytes ?? [])]).toEqual([1, 2, 3])
  })

  it('draws no cover that could be a program', () => {
    const svg = [0, ...Buffer.from('image/svg+xml\0', 'latin1'), 3, 0, 60, 115]
    expect(readId3(tagOf(3, [['APIC', svg]])).cover).toBeUndefined()
  })

  it('that is cut off or lies about its lengths gives what is whole', () => {
    const tag = tagOf(3, [
      ['TIT2', text('whole')],
      ['TPE1', text('x'.repeat(50))],
    ])
    expect(readId3(tag.subarray(0, tag.length - 20))).toMatchObject({ title: 'whole' })
    expect(readId3(Buffer.from('no tag at all'))).toEqual({})
    for (let end = 0; end < tag.length; end += 1) expect(() => readId3(tag.subarray(0, end))).not.toThrow()
  })
})

function tagOf(version: number, frames: readonly (readonly [string, readonly number[]])[]): Buffer {
  const size = (length: number, bits: number) =>
    [21, 14, 7, 0].map((shift) => (length >> ((shift * bits) / 7)) & (2 ** bits - 1))
  const body = frames.flatMap(([id, bytes]) => [
    ...Buffer.from(id),
    ...size(bytes.length, version === 4 ? 7 : 8),
    ...[0, 0],
    ...bytes,
  ])
  const padded = [...body, ...Array<number>(16).fill(0)]
  return Buffer.from([...Buffer.from('ID3'), version, 0, 0, ...size(padded.length, 7), ...padded])
}
