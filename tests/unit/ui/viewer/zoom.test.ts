import { describe, expect, it } from 'vitest'
import {
  fitInto,
  FITTED,
  largestScaleOf,
  nextStep,
  panTo,
  type Stage,
  turned,
  zoomTo,
} from '../../../../ui/src/viewer/image/zoom.ts'

const stage: Stage = { box: { width: 800, height: 600 }, fitted: { width: 800, height: 400 }, largestScale: 8 }

describe('a picture in the viewer', () => {
  it('fits the screen, but is not enlarged unless it is a drawing', () => {
    expect(fitInto({ width: 4000, height: 2000 }, stage.box, false)).toEqual({ width: 800, height: 400 })
    expect(fitInto({ width: 40, height: 20 }, stage.box, false)).toEqual({ width: 40, height: 20 })
    expect(fitInto({ width: 40, height: 20 }, stage.box, true)).toEqual({ width: 800, height: 400 })
    expect(fitInto({ width: 0, height: 0 }, stage.box, true)).toEqual({ width: 0, height: 0 })
  })

  it('has its dimensions exchanged by every quarter turn', () => {
    expect(turned({ width: 3, height: 2 }, 1)).toEqual({ width: 2, height: 3 })
    expect(turned({ width: 3, height: 2 }, 2)).toEqual({ width: 3, height: 2 })
  })

  it('zooms around the pointer', () => {
    const at = { x: 200, y: -100 }
    const zoom = zoomTo(FITTED, 4, at, stage)
    // The same point of the picture is still under the pointer.
    expect((at.x - zoom.x) / zoom.scale).toBeCloseTo(at.x)
    expect((at.y - zoom.y) / zoom.scale).toBeCloseTo(at.y)
  })

  it('never leaves the screen, and is centred where there is room', () => {
    const zoom = panTo(zoomTo(FITTED, 2, { x: 0, y: 0 }, stage), { x: 9999, y: -9999 }, stage)
    expect(zoom).toEqual({ scale: 2, x: 400, y: -100 })
    expect(panTo(FITTED, { x: 50, y: 50 }, stage)).toEqual(FITTED)
    expect(zoomTo(zoom, 1, { x: 300, y: 200 }, stage)).toEqual(FITTED)
  })

  it('zooms in to four screen pixels per pixel, and out to a quarter', () => {
    expect(largestScaleOf({ width: 8000, height: 4000 }, stage.fitted)).toBe(40)
    expect(largestScaleOf({ width: 80, height: 40 }, { width: 80, height: 40 })).toBe(4)
    expect(zoomTo(FITTED, 100, { x: 0, y: 0 }, stage).scale).toBe(8)
    expect(zoomTo(FITTED, 0.01, { x: 0, y: 0 }, stage).scale).toBe(0.25)
  })

  it('is doubled, doubled again and reset by double clicks', () => {
    expect([1, 2, 4, 0.5, 1.25, 3].map(nextStep)).toEqual([2, 4, 1, 1, 2, 4])
  })
})
