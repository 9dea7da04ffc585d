import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useLatest } from '../../lib/hooks.ts'
import { type RowDrag, dragTarget } from './rule-list.ts'

interface Drag extends RowDrag {
  readonly to: number
}

/** Reorders rows by dragging; Escape cancels. Listens on the document, because a fast pointer leaves the handle. */
export function useRuleDrag(list: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Drag>()
  const latest = useLatest(onMove)
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  function begin({ button, pointerId, clientY: start }: ReactPointerEvent, from: number): void {
    if (button !== 0 || list.current === null) return
    const rows = [...list.current.children].map((row) => row.getBoundingClientRect())
    const listening = new AbortController()
    const { signal } = listening
    let current: Drag = { rows, from, offset: 0, to: from }
    const end = (): void => {
      listening.abort()
      setDrag(undefined)
    }
    const isOurs = (event: PointerEvent): boolean => event.pointerId === pointerId
    const follow = (event: PointerEvent): void => {
      if (!isOurs(event)) return
      const offset = event.clientY - start
      current = { ...current, offset, to: dragTarget({ rows, from, offset }) }
      setDrag(current)
    }
    const drop = (event: PointerEvent): void => {
      if (!isOurs(event)) return
      end()
      if (current.to !== from) latest.current(from, current.to)
    }
    stop.current = () => listening.abort()
    addEventListener('pointermove', follow, { signal })
    addEventListener('pointerup', drop, { signal })
    addEventListener('pointercancel', end, { signal })
    addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal, capture: true })
  }

  return {
    /** Call it on pointer down on a row's handle. */
    begin,
    dragged: drag?.from,
    /** Offset of a row in pixels while one is dragged. */
    offsetOf(index: number) {
      if (drag === undefined) return 0
      const { from, to, offset, rows } = drag
      if (index === from) return offset
      const height = rows[from]?.height ?? 0
      if (index > from && index <= to) return -height
      return index < from && index >= to ? height : 0
    },
  }
}
