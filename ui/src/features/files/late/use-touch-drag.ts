import { useEffect, useRef, type RefObject } from 'react'
import type { VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useWork } from '../../../work/late-work.tsx'
import type { WorkItem } from '../../../work/work.ts'
import { entryNameAt } from '../grid/use-grid-handlers.ts'
import type { Grid } from '../grid/use-grid.ts'
import { dropVerdict } from '../model/drop-rule.ts'
import { LONG_PRESS, movedAway } from '../model/pointer-gesture.ts'
import { dragLabel } from './drag-picture.ts'
import { dropPlaceAt, markDropPlace, type DropPlace } from './drop-place.ts'
import type { Hover } from './use-drop-zone.ts'
import { takeUp } from './use-row-drag.ts'

interface TouchDragOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly scroll: RefObject<HTMLElement | null>
  readonly enabled: boolean
  readonly show: (hover: Hover | null) => void
}

/** So near to its upper or lower edge, in pixels, a drag scrolls the listing. */
const EDGE = 56
const SCROLL_STEP = 12

/** A finger that rests on an entry and then moves takes it along: onto folders, and places of the frame. */
export function useTouchDrag(options: TouchDragOptions): void {
  const t = useText()
  const work = useWork()
  const latest = useRef({ ...options, t, work })
  useEffect(() => {
    latest.current = { ...options, t, work }
  })
  const { scroll, enabled, show } = options
  useEffect(() => {
    const list = scroll.current
    if (list === null || !enabled) return
    const listening = new AbortController()
    let press: { readonly x: number; readonly y: number; readonly name: string; readonly at: number } | null = null
    let drag: { readonly items: readonly WorkItem[]; readonly label: HTMLElement } | null = null
    let place: DropPlace | null = null

    const begin = (event: TouchEvent): void => {
      const [touch] = event.touches
      const name = entryNameAt(event.target)
      press =
        touch === undefined || event.touches.length > 1 || name === null
          ? null
          : { x: touch.clientX, y: touch.clientY, name, at: event.timeStamp }
    }
    const move = (event: TouchEvent): void => {
      const [touch] = event.touches
      if (touch === undefined || press === null) return
      const point = { x: touch.clientX, y: touch.clientY }
      if (drag === null) {
        const rested = event.timeStamp - press.at >= LONG_PRESS && event.cancelable
        // Else the browser begins to scroll.
        if (rested) event.preventDefault()
        if (!movedAway(press, point)) return
        if (!rested) {
          press = null
          return
        }
        drag = takeAlong(press.name)
      }
      event.preventDefault()
      follow(drag, point)
    }
    const takeAlong = (name: string): NonNullable<typeof drag> => {
      const { grid, folder, t: text } = latest.current
      const items = takeUp({ grid, folder }, name)
      const label = dragLabel(items.length === 1 ? name : text('files.dragged', { count: items.length }))
      Object.assign(label.style, { inset: '0 auto auto 0', zIndex: 'var(--z-toast)', pointerEvents: 'none' })
      return { items, label }
    }
    const follow = ({ items, label }: NonNullable<typeof drag>, { x, y }: { x: number; y: number }): void => {
      label.style.translate = `${x + 12}px ${y - 40}px`
      const box = list.getBoundingClientRect()
      if (y < box.top + EDGE && y > box.top) list.scrollBy(0, -SCROLL_STEP)
      if (y > box.bottom - EDGE) list.scrollBy(0, SCROLL_STEP)
      const { grid, folder } = latest.current
      const found = dropPlaceAt(document.elementFromPoint(x, y), folder, grid)
      const verdict = dropVerdict('move', items, found.folder)
      place = verdict === 'taken' && found.element !== null ? found : null
      markDropPlace(place?.element ?? null)
      show(verdict === 'pointless' ? null : { kind: 'move', folder: found.folder, count: items.length, verdict })
    }
    const end = (): void => {
      drag?.label.remove()
      markDropPlace(null)
      show(null)
      press = drag = place = null
    }
    const lift = (event: TouchEvent): void => {
      if (drag === null) {
        press = null
        return
      }
      // Else the browser makes a click of it.
      event.preventDefault()
      const { items } = drag
      const target = place
      end()
      if (target !== null) void latest.current.work.transfer('move', items, target.folder)
    }
    const { signal } = listening
    list.addEventListener('touchstart', begin, { signal, passive: true })
    list.addEventListener('touchmove', move, { signal, passive: false })
    list.addEventListener('touchend', lift, { signal })
    list.addEventListener('touchcancel', end, { signal })
    return () => {
      listening.abort()
      if (drag !== null) end()
    }
  }, [scroll, enabled, show])
}
