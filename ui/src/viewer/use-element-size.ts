import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Dimensions } from './image/zoom.ts'

/** The inner size of an element, updated when it changes. */
export function useElementSize(element: RefObject<HTMLElement | null>): Dimensions {
  const [box, setBox] = useState<Dimensions>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = target
      setBox((before) => (before.width === width && before.height === height ? before : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return box
}
