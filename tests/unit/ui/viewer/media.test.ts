import { describe, expect, it } from 'vitest'
import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import { encodeText } from '../../../../src/domain/text/text-codec.ts'
import { readTexts } from '../../../../ui/src/api/text-file.ts'
import { detectingClient } from '../../../helpers/unit/detecting-client.ts'
import { id3Length, readId3 } from '../../../../ui/src/viewer/media/id3.ts'
import {
  faster,
  positionToSave,
  slower,
  startPosition,
  subtitleLabel,
} from '../../../../ui/src/viewer/media/playback.ts'

describe('the position in a video', () => {
  it('is saved only in the middle of a long video', () => {
    expect(positionToSave(100.7, 600)).toBe(100)
    expect([positionToSave(3, 600), positionToSave(595, 600), positionToSave(20, 40)]).toEqual([null, null, null])
    expect(positionToSave(100, Infinity)).toBeNull()
  })

  it('is resumed while it is valid', () => {
    expect([
      startPosition('100', 600),
      startPosition(undefined, 600),
      startPosition('100', 90),
      startPosition('x', 600),
    ]).toEqual([100, 0, 0, 0])
  })

  it('plays at speeds between 0.5 and 3', () => {
    expect([slower(0.5), slower(1), faster(1), faster(3), faster(1.1)]).toEqual([0.5, 0.75, 1.25, 3, 1.25])
  })
})

describe('subtitles', () => {
  it('are labelled by the part of their name after that of the video', () => {
    expect(subtitleLabel('film.de.srt', 'film.mp4')).toBe('de')
    expect(subtitleLabel('film.srt', 'film.mp4')).toBe('')
    expect(subtitleLabel('film - English.vtt', 'film.mp4')).toBe('English')
  })
})

const latin1 = async (texts: readonly Uint8Array[]): Promise<string[]> =>
  await Promise.resolve(texts.map((each) => Buffer.from(each).toString('latin1')))

describe('the tags of an audio file', () => {
  const text = (value: string) => [3, ...Buffer.from(value)]
  const cover = [0, ...Buffer.from('image/jpg\0', 'latin1'), 3, ...Buffer.from('front\0', 'latin1'), 1, 2, 3]

  it.each([3, 4])('of version 2.%i has title, artist, album and cover', async (version) => {
    const tag = tagOf(version, [
      ['TIT2', text('A song')],
      ['TPE1', [1, 0xff, 0xfe, ...Buffer.from('Jürgen', 'utf16le')]],
      ['TALB', [0, ...Buffer.from('Café', 'latin1')]],
      ['APIC', cover],
    ])
    expect(id3Length(tag)).toBe(tag.length)
    const facts = await readId3(tag, latin1)
    expect(facts).toMatchObject({
      title: 'A song',
      artist: 'Jürgen',
      album: 'Café',
      cover: { type: 'image/jpeg' },
    })
    expect([...(facts.cover?.bytes ?? [])]).toEqual([1, 2, 3])
  })

  it.each<[Encoding, string, string, string]>([
    ['windows-1251', 'Группа крови', 'Кино', 'Последний герой'],
    ['gbk', '月亮代表我的心', '邓丽君', '岛国之情歌'],
    ['shift_jis', '夜明けのブルース', '美空ひばり', 'ベスト'],
    ['windows-1252', 'Übers Ende der Welt', 'Mötley Crüe', 'Café'],
  ])('in Latin-1 that really is %s is read so, all frames alike', async (encoding, title, artist, album) => {
    const frame = (value: string): number[] => [0, ...(encodeText(value, encoding) ?? []), 0]
    const tag = tagOf(3, [
      ['TIT2', frame(title)],
      ['TPE1', frame(artist)],
      ['TALB', frame(album)],
    ])
    const facts = await readId3(tag, async (texts) => await readTexts(detectingClient(), texts))
    expect(facts).toEqual({ title, artist, album })
  })

  it('ignores covers that could contain scripts', async () => {
    const svg = [0, ...Buffer.from('image/svg+xml\0', 'latin1'), 3, 0, 60, 115]
    expect((await readId3(tagOf(3, [['APIC', svg]]), latin1)).cover).toBeUndefined()
  })

  it('that is truncated or has wrong lengths yields the valid frames', async () => {
    const tag = tagOf(3, [
      ['TIT2', text('whole')],
      ['TPE1', text('x'.repeat(50))],
    ])
    expect(await readId3(tag.subarray(0, tag.length - 20), latin1)).toMatchObject({ title: 'whole' })
    expect(await readId3(Buffer.from('no tag at all'), latin1)).toEqual({})
    for (let end = 0; end < tag.length; end += 1)
      await expect(readId3(tag.subarray(0, end), latin1)).resolves.toBeDefined()
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
