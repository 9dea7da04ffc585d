import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Measures } from '../model/zoom.ts'

/** The room that an element has, followed through every change. */
export function useBox(element: RefObject<HTMLElement | null>): Measures {
  const [box, setBox] = useState<Measures>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const place = element.current
    if (place === null) return
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = place
      setBox((before) => (before.width === width && before.height === height ? before : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(place)
    return () => observer.disconnect()
  }, [element])
  return box
}
