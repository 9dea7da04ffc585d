import { type RefObject, useEffect } from 'react'
import { useLatest } from '../../../lib/hooks.ts'
import type { MarqueeOptions } from './marquee.ts'

/** A mouse that is dragged from empty space of the list selects what its rectangle touches. */
export function useMarquee(options: MarqueeOptions & { readonly scroll: RefObject<HTMLElement | null> }): void {
  const latest = useLatest<MarqueeOptions>(options)
  const { scroll } = options
  useEffect(() => {
    const list = scroll.current
    const press = (event: PointerEvent): void => {
      if (list === null || event.pointerType !== 'mouse' || event.button !== 0 || !isEmptySpace(event, list)) return
      const pressing = new AbortController()
      const { signal } = pressing
      for (const end of ['pointerup', 'pointercancel'])
        addEventListener(end, () => pressing.abort(), { signal, capture: true })
      // Else the README below would be selected too.
      addEventListener('selectstart', (selecting) => selecting.preventDefault(), { signal })
      // Without its code nothing is drawn, and the next press tries again.
      import('./marquee.ts').then(
        ({ drawMarquee }) => drawMarquee(event, list, latest, signal),
        () => undefined,
      )
    }
    list?.addEventListener('pointerdown', press)
    return () => list?.removeEventListener('pointerdown', press)
  }, [scroll, latest])
}

/** Not on entries, controls, the head of the list, what is below the list, or a scroll bar. */
function isEmptySpace({ target, clientX }: PointerEvent, list: HTMLElement): boolean {
  const x = clientX - list.getBoundingClientRect().left - list.clientLeft
  if (!(target instanceof Element) || x < 0 || x >= list.clientWidth) return false
  const isInList = target === list || target.closest('[role=grid]') !== null
  return isInList && target.closest('[data-entry], [role=columnheader], button, input, a') === null
}
