import { describe, expect, it } from 'vitest'
import { editedName } from '../../../../src/domain/files/media/picture-edit.ts'
import {
  cropWithRatio,
  movedCrop,
  resizedCrop,
  roundedCrop,
  turnedCrop,
  wholeOf,
} from '../../../../ui/src/viewer/edit/crop.ts'

const picture = { width: 400, height: 200 }
const part = { left: 100, top: 50, width: 200, height: 100 }

describe('the part of a picture to keep', () => {
  it('stays inside the picture when it is moved or resized', () => {
    expect(movedCrop(part, 500, -500, picture)).toEqual({ ...part, left: 200, top: 0 })
    const wider = resizedCrop(part, { corner: 'br', x: 900, y: 900, picture, ratio: undefined })
    expect(wider).toEqual({ left: 100, top: 50, width: 300, height: 150 })
    const least = resizedCrop(part, { corner: 'tl', x: 900, y: 900, picture, ratio: undefined })
    expect(least).toEqual({ left: 284, top: 134, width: 16, height: 16 })
  })

  it('keeps its ratio, and the corner that is not moved', () => {
    const square = cropWithRatio(part, 1, picture)
    expect(square).toEqual({ left: 100, top: 0, width: 200, height: 200 })
    const smaller = resizedCrop(square, { corner: 'bl', x: 50, y: -10, picture, ratio: 1 })
    expect(smaller).toEqual({ left: 150, top: 0, width: 150, height: 150 })
    const larger = resizedCrop(smaller, { corner: 'br', x: 900, y: 0, picture, ratio: 1 })
    expect(larger).toEqual({ left: 150, top: 0, width: 200, height: 200 })
    expect(cropWithRatio(wholeOf(picture), 16 / 9, picture).width).toBeCloseTo(200 * (16 / 9))
  })

  it('turns with the picture, and four turns change nothing', () => {
    const corner = { left: 0, top: 0, width: 30, height: 20 }
    expect(turnedCrop(corner, true, picture)).toEqual({ left: 180, top: 0, width: 20, height: 30 })
    expect(turnedCrop(corner, false, picture)).toEqual({ left: 0, top: 370, width: 20, height: 30 })
    let turning = { crop: part, size: picture }
    for (let turn = 0; turn < 4; turn += 1) {
      const { crop, size } = turning
      turning = { crop: turnedCrop(crop, true, size), size: { width: size.height, height: size.width } }
    }
    expect(turning.crop).toEqual(part)
  })

  it('is saved in whole pixels, or left out if it is everything', () => {
    expect(roundedCrop({ left: 200.4, top: 0.5, width: 199.6, height: 99.5 }, picture)).toEqual({
      left: 200,
      top: 1,
      width: 200,
      height: 100,
    })
    expect(roundedCrop(wholeOf(picture), picture)).toBeUndefined()
  })
})

it('names edited copies after the picture, and copies of copies alike', () => {
  expect(editedName('sea.jpg')).toBe('sea (edited).jpg')
  expect(editedName('sea (edited)(2).jpg')).toBe('sea (edited).jpg')
  expect(new TextEncoder().encode(editedName(`${'ö'.repeat(125)}.jpeg`)).length).toBeLessThanOrEqual(255)
})
