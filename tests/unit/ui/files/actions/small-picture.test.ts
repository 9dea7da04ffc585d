import { describe, expect, it } from 'vitest'
import { smallPictureOf } from '../../../../../ui/src/files/actions/picture.tsx'

const MIB = 1024 * 1024
const ALL = { EnableThumbs: true, PdfThumbs: true, VideoThumbs: true } as const
const NONE = { EnableThumbs: false }
const image = (name: string, size: number) => ({ name, size, type: 'image' as const })

describe('the thumbnail of a file', () => {
  it('is requested if the server makes one that is smaller', () => {
    for (const name of ['a.jpg', 'a.PNG', 'a.tiff', 'a.heic', 'a.dng']) {
      expect(smallPictureOf(image(name, 20 * MIB), ALL)).toBe('thumbnail')
    }
    expect(smallPictureOf(image('a.jpg', 200_000), ALL)).toBe('thumbnail')
    expect(smallPictureOf({ name: 'a.mp4', size: 900 * MIB, type: 'video' }, ALL)).toBe('thumbnail')
  })

  it('is the file itself where the server would send that, unless it is large', () => {
    expect(smallPictureOf(image('a.jpg', 3000), ALL)).toBe('raw')
    expect(smallPictureOf(image('a.svg', 90_000), ALL)).toBe('raw')
    expect(smallPictureOf(image('a.webp', 2 * MIB), ALL)).toBe('raw')
    expect(smallPictureOf(image('a.gif', 20 * MIB), ALL)).toBeUndefined()
  })

  it('is the file itself if thumbnails are disabled', () => {
    expect(smallPictureOf(image('a.jpg', MIB), NONE)).toBe('raw')
    expect(smallPictureOf(image('a.tiff', MIB), NONE)).toBeUndefined()
    expect(smallPictureOf({ name: 'a.mp4', size: MIB, type: 'video' }, NONE)).toBeUndefined()
  })

  it('is requested of texts, and of what may have a picture inside', () => {
    expect(smallPictureOf({ name: 'a.py', size: 10, type: 'textImmutable' }, ALL)).toBe('thumbnail')
    expect(smallPictureOf({ name: 'a.pdf', size: MIB, type: 'pdf' }, ALL)).toBe('thumbnail')
    expect(smallPictureOf({ name: 'a.mp3', size: MIB, type: 'audio' }, ALL)).toBe('thumbnail')
    for (const name of ['a.epub', 'a.docx', 'a.PPTX', 'a.ods'])
      expect(smallPictureOf({ name, size: MIB, type: 'blob' }, ALL)).toBe('thumbnail')
    expect(smallPictureOf({ name: 'a.txt', size: 10, type: 'text' }, NONE)).toBeUndefined()
  })

  it('is missing for videos and PDF without a program for them', () => {
    for (const type of ['video', 'pdf'] as const)
      expect(smallPictureOf({ name: 'a', size: MIB, type }, { EnableThumbs: true })).toBeUndefined()
  })

  it('is missing for files without a picture', () => {
    expect(smallPictureOf({ name: 'a.zip', size: 10, type: 'blob' }, ALL)).toBeUndefined()
    expect(smallPictureOf({ name: 'a.wav', size: 10, type: 'audio' }, ALL)).toBeUndefined()
    expect(smallPictureOf(image('empty.jpg', 0), ALL)).toBeUndefined()
  })
})
