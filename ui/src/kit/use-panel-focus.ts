import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface PanelFocus {
  readonly onFocus: () => void
  readonly onBlur: (event: FocusEvent) => void
}

/**
 * For a panel whose buttons come and go with what they are for: while it stays the focus stays in it, and when it goes
 * the focus returns to where it was before. Give the element `tabIndex={-1}` and what this returns.
 */
export function usePanelFocus(box: RefObject<HTMLElement | null>): PanelFocus {
  const [returnTo] = useState(() => document.activeElement)
  const inside = useRef(false)
  useLayoutEffect(() => {
    if (inside.current && box.current?.contains(document.activeElement) === false) box.current.focus()
  })
  useEffect(() => {
    const had = inside
    return () => {
      if (had.current) giveBack(returnTo)
    }
  }, [returnTo])
  return {
    onFocus: () => {
      inside.current = true
    },
    onBlur: ({ currentTarget, relatedTarget }) => {
      inside.current = currentTarget.contains(relatedTarget)
    },
  }
}

/** What opened the panel may have gone with it. */
function giveBack(place: Element | null): void {
  const stays = place instanceof HTMLElement && place.isConnected && place !== document.body
  const target = stays ? place : document.getElementById('main')
  target?.focus()
}
