import { useLayoutEffect, useState, type RefObject } from 'react'
import { useTheme } from '../../kit/contexts.ts'
import { useStore } from '../../lib/create-store.ts'
import { NARROW, useMediaQuery } from '../../lib/use-media-query.ts'
import type { Space } from './grid/grid-metrics.ts'

export interface MeasuredSpace extends Space {
  readonly height: number
}

const ROWS = { cosy: 40, compact: 32 }
const TOUCH_ROW = 56

/** The room of the listing; null before it was measured. */
export function useSpace(element: RefObject<HTMLElement | null>): MeasuredSpace | null {
  const narrow = useMediaQuery(NARROW)
  const coarse = useMediaQuery('(pointer: coarse)')
  const density = useStore(useTheme().density)
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    const read = (): void => setSize({ width: measured.clientWidth, height: measured.clientHeight })
    read()
    const observer = new ResizeObserver(read)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return size && { ...size, narrow, row: narrow || coarse ? TOUCH_ROW : ROWS[density] }
}
