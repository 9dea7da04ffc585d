import { useEffect, useRef, type MouseEvent, type RefObject } from 'react'
import { useDragEntries } from '../actions/drag-entries.ts'
import type { FileItem } from '../actions/file-actions.ts'
import { hitAt } from './hit-row.tsx'

interface HitDragOptions {
  readonly list: RefObject<HTMLElement | null>
  /** What goes along with a hit, which is chosen by that. */
  readonly take: (index: number) => readonly FileItem[]
  readonly onEnd: (moved: boolean) => void
}

/** Lets hits be dragged out of the list by a mouse, as entries out of a listing. */
export function useHitDrag(options: HitDragOptions): void {
  const drag = useDragEntries()
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { list } = options
  useEffect(() => {
    const element = list.current
    if (element === null || drag === null) return
    const listening = new AbortController()
    const press = ({ target, pointerType }: PointerEvent): void => {
      const row = rowAt(target)
      if (row !== null) row.draggable = pointerType === 'mouse'
    }
    const start = (event: DragEvent): void => {
      const index = hitAt(event)
      if (index !== undefined && event.dataTransfer !== null) drag(event.dataTransfer, latest.current.take(index))
    }
    const end = ({ dataTransfer }: DragEvent): void => latest.current.onEnd(dataTransfer?.dropEffect === 'move')
    element.addEventListener('pointerdown', press, listening)
    element.addEventListener('dragstart', start, listening)
    element.addEventListener('dragend', end, listening)
    return () => listening.abort()
  }, [list, drag])
}

/** True for the left button of a mouse on a hit. A drag needs what browsers do then: the focus goes elsewhere. */
export function mayBecomeDrag({ button, target }: MouseEvent): boolean {
  return button === 0 && rowAt(target)?.draggable === true
}

function rowAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-hit]') : null
}
