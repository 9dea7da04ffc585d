import type { RefObject } from 'react'
import { movedAway } from '../../../kit/keyboard/use-long-press.ts'
import type { GridMetrics } from '../grid/grid-metrics.ts'
import type { Grid } from '../grid/use-grid.ts'
import { hitsOf, startsOf } from '../model/grid-hits.ts'
import { selectedOf } from '../model/selection.ts'
import styles from './marquee.module.css'
import { swallowClick } from './swallow-click.ts'

export interface MarqueeOptions {
  readonly grid: Grid
  readonly metrics: GridMetrics
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Pixels from the upper and lower edge of the list in which it scrolls, at most by as many per frame. */
const EDGE = 24

/**
 * Follows the mouse until its button is released. Positions are those of the layout, not of rendered rows, so that entries
 * that were scrolled away stay touched.
 *
 * @param released aborted by the release of the button
 */
export function drawMarquee(
  press: PointerEvent,
  list: HTMLElement,
  options: RefObject<MarqueeOptions>,
  released: AbortSignal,
): void {
  if (released.aborted) return
  const cancelled = new AbortController()
  const signal = AbortSignal.any([released, cancelled.signal])
  const inContent = ({ x, y }: Point): Point => {
    const { left, top } = list.getBoundingClientRect()
    return { x: x - left + list.scrollLeft, y: y - top + list.scrollTop }
  }
  const from = inContent(press)
  const { grid } = options.current
  const before = [...selectedOf(grid.state.selection, grid.view.names)]
  const adds = press.ctrlKey || press.metaKey || press.shiftKey
  const select = createSelect(list, options, adds ? before : [])
  let pointer: Point = press
  let frame: HTMLElement | undefined

  const draw = (): void => {
    if (frame === undefined) return
    const to = inContent(pointer)
    const box = {
      left: Math.min(from.x, to.x),
      right: Math.max(from.x, to.x),
      top: Math.min(from.y, to.y),
      bottom: Math.max(from.y, to.y),
    }
    place(frame, list, box)
    select(box)
  }
  const scrollAtEdge = (): void => {
    if (signal.aborted) return
    const { top, bottom } = list.getBoundingClientRect()
    const beyond = Math.min(0, pointer.y - top - EDGE) + Math.max(0, pointer.y - bottom + EDGE)
    list.scrollTop += Math.max(-EDGE, Math.min(EDGE, beyond))
    requestAnimationFrame(scrollAtEdge)
  }
  const move = (event: PointerEvent): void => {
    // Released outside of the window, before it was captured.
    if (event.buttons === 0) return cancelled.abort()
    pointer = event
    if (frame === undefined) {
      if (!movedAway(press, pointer)) return
      frame = document.body.appendChild(document.createElement('div'))
      frame.className = styles['marquee'] ?? ''
      list.setPointerCapture(event.pointerId)
      swallowClick(released)
      requestAnimationFrame(scrollAtEdge)
    }
    draw()
  }
  const escape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || frame === undefined) return
    event.preventDefault()
    event.stopPropagation()
    options.current.grid.send({ kind: 'select', names: before })
    cancelled.abort()
  }
  signal.addEventListener('abort', () => frame?.remove())
  addEventListener('pointermove', move, { signal })
  addEventListener('keydown', escape, { signal, capture: true })
  list.addEventListener('scroll', draw, { signal, passive: true })
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Selects what a rectangle in the content of the list touches, and `kept`. */
function createSelect(list: HTMLElement, options: RefObject<MarqueeOptions>, kept: readonly string[]) {
  let measured: { readonly of: MarqueeOptions['grid']['view']; readonly starts: Float64Array } | undefined
  let shown: string | undefined
  return (box: Box): void => {
    const { grid, metrics } = options.current
    const { layout, names } = grid.view
    if (measured?.of !== grid.view) {
      measured = { of: grid.view, starts: startsOf(layout, metrics) }
      shown = undefined
    }
    const lines = list.querySelector('[role=grid] > [role=rowgroup]:last-child')
    if (lines === null) return
    const area = lines.getBoundingClientRect()
    const outer = list.getBoundingClientRect()
    const x = area.left - outer.left + list.scrollLeft
    const y = area.top - outer.top + list.scrollTop
    const isRightToLeft = getComputedStyle(list).direction === 'rtl'
    const [before, after] = isRightToLeft
      ? [x + area.width - box.right, x + area.width - box.left]
      : [box.left - x, box.right - x]
    // The rows of a list have no space at their sides: its own is outside of them.
    const sizes = metrics.gap === 0 ? { ...metrics, side: 0 } : metrics
    const hits = hitsOf(layout, sizes, measured.starts, area.width, {
      top: box.top - y,
      bottom: box.bottom - y,
      before,
      after,
    })
    const key = hits.join()
    if (key === shown) return
    shown = key
    const touched = hits.flatMap((index) => names[index] ?? [])
    grid.send({ kind: 'select', names: [...touched, ...kept] })
  }
}

/** Draws the visible part of a rectangle in the content of the list. */
function place(frame: HTMLElement, list: HTMLElement, box: Box): void {
  const { left, top, width, height } = list.getBoundingClientRect()
  const within = (value: number, size: number): number => Math.max(0, Math.min(size, value))
  const [x1, x2] = [within(box.left - list.scrollLeft, width), within(box.right - list.scrollLeft, width)]
  const [y1, y2] = [within(box.top - list.scrollTop, height), within(box.bottom - list.scrollTop, height)]
  Object.assign(frame.style, {
    translate: `${left + x1}px ${top + y1}px`,
    inset: '0 auto auto 0',
    inlineSize: `${x2 - x1}px`,
    blockSize: `${y2 - y1}px`,
  })
}
