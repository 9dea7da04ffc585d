import { type KeyboardEvent, type PointerEvent, useEffect, useState } from 'react'

const KEY = 'filemgr:terminal-height'
/** Milliseconds between two updates while dragging. */
const DRAG_INTERVAL = 32

/** The height of the panel: changed by dragging or keys, remembered by this browser, limited by the window. */
export function usePanelHeight() {
  const em = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const [limits, setLimits] = useState(() => heightLimits(innerHeight, em))
  const [chosen, setChosen] = useState(() => Number(localStorage.getItem(KEY)) || firstHeight(em))
  useEffect(() => {
    const measure = () => setLimits(heightLimits(innerHeight, em))
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [em])
  const height = clampHeight(chosen, limits)
  const keep = (next: number) => {
    const fitting = clampHeight(next, limits)
    setChosen(fitting)
    localStorage.setItem(KEY, String(fitting))
  }
  return {
    ...limits,
    height,
    onPointerDown(event: PointerEvent<HTMLElement>) {
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      follow(event.currentTarget, (clientY) => keep(height + event.clientY - clientY))
    },
    onKeyDown(event: KeyboardEvent) {
      const next = heightByKey(event.key, height, em, limits)
      if (next === undefined) return
      event.preventDefault()
      keep(next)
    },
  }
}

/** Reports pointer positions until release. */
function follow(separator: HTMLElement, move: (clientY: number) => void): void {
  const listening = new AbortController()
  let latest: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const apply = () => {
    timer = undefined
    if (latest !== undefined) move(latest)
  }
  separator.addEventListener(
    'pointermove',
    ({ clientY }) => {
      latest = clientY
      timer ??= setTimeout(apply, DRAG_INTERVAL)
    },
    listening,
  )
  const end = () => {
    clearTimeout(timer)
    apply()
    listening.abort()
  }
  separator.addEventListener('pointerup', end, listening)
  separator.addEventListener('pointercancel', end, listening)
}

/** Pixels. */
interface HeightLimits {
  readonly min: number
  readonly max: number
}

/** In em of the page. */
const MIN_HEIGHT = 6
const INITIAL_HEIGHT = 25
const FREE_SPACE = 4
const STEP = 2

/** @param em font size of the page in pixels */
export function heightLimits(windowHeight: number, em: number): HeightLimits {
  const min = MIN_HEIGHT * em
  return { min, max: Math.max(min, windowHeight - FREE_SPACE * em) }
}

export function clampHeight(height: number, { min, max }: HeightLimits): number {
  return Math.round(Math.min(max, Math.max(min, height)))
}

/** The height until the user changes it. */
export function firstHeight(em: number): number {
  return INITIAL_HEIGHT * em
}

/** The height after a key press on the separator; `undefined` for other keys. */
export function heightByKey(key: string, height: number, em: number, { min, max }: HeightLimits): number | undefined {
  switch (key) {
    case 'ArrowUp':
      return height + STEP * em
    case 'ArrowDown':
      return height - STEP * em
    case 'PageUp':
      return height + STEP * 5 * em
    case 'PageDown':
      return height - STEP * 5 * em
    case 'Home':
      return min
    case 'End':
      return max
    default:
      return undefined
  }
}
