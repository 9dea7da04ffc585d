import { type RefObject, useEffect, useState } from 'react'

const REST = 1500

const BARS = ':is([data-chrome], [role="toolbar"])'
const IN_USE = `${BARS}:is(:hover, :focus-visible), ${BARS} :focus-visible, [aria-expanded="true"]`

/**
 * True while the bars of the viewer show. They go when the pointer and the keys have rested for a while, but not while
 * the pointer is on one of them or the keyboard is in it: toolbars, and what is marked with `data-chrome`.
 *
 * @param enabled false keeps them there: one reads beside them
 */
export function useQuietChrome(place: RefObject<HTMLElement | null>, enabled: boolean): boolean {
  const [shown, setShown] = useState(true)
  useEffect(() => {
    setShown(true)
    const element = place.current
    if (!enabled || element === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const rest = (): void => {
      if (element.querySelector(IN_USE) === null) setShown(false)
      else timer = setTimeout(rest, REST)
    }
    const wake = (): void => {
      clearTimeout(timer)
      setShown(true)
      timer = setTimeout(rest, REST)
    }
    wake()
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
    for (const name of events) element.addEventListener(name, wake)
    document.addEventListener('keydown', wake)
    return () => {
      clearTimeout(timer)
      for (const name of events) element.removeEventListener(name, wake)
      document.removeEventListener('keydown', wake)
    }
  }, [place, enabled])
  return shown
}
