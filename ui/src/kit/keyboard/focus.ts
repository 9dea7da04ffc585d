import { type RefObject, useLayoutEffect, useState, type FocusEvent, useEffect, useRef } from 'react'

/**
 * For an element that opens with a key but is no dialog: if it closes while it has the focus, the focus returns to the
 * previous element.
 */
export function useFocusBack(box: RefObject<HTMLElement | null>): void {
  const [returnTo] = useState(() => document.activeElement)
  useLayoutEffect(() => {
    const element = box.current
    return () => {
      if (element?.contains(document.activeElement) && returnTo instanceof HTMLElement) returnTo.focus()
    }
  }, [box, returnTo])
}

interface PanelFocus {
  readonly onFocus: () => void
  readonly onBlur: (event: FocusEvent) => void
}

/**
 * For a panel whose buttons come and go: the focus stays in the panel while it is open, and returns to the previous
 * element when it closes. Give the element `tabIndex={-1}` and the returned handlers.
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

/** For `onCloseAutoFocus` of a dialog without a button of its own: gives the focus back to what had it before. */
export function useReturnFocus(): (event: Event) => void {
  const [returnTo] = useState(() => document.activeElement)
  return (event) => {
    event.preventDefault()
    // A prompt that was opened meanwhile keeps what it has; the one around takes it while this one goes.
    const isFree = document.activeElement?.contains(returnTo) ?? true
    if (isFree && returnTo instanceof HTMLElement) returnTo.focus()
  }
}
