import { type RefObject, useLayoutEffect, useState, type FocusEvent, useEffect, useRef } from 'react'

/**
 * For an element that is opened by a key but is not a dialog: if it closes while it has the focus, the focus returns to
 * the previous element.
 */
export function useRestoreFocus(box: RefObject<HTMLElement | null>): void {
  const [returnTo] = useState(() => document.activeElement)
  useLayoutEffect(() => {
    const element = box.current
    return () => {
      if (element?.contains(document.activeElement) && returnTo instanceof HTMLElement) returnTo.focus()
    }
  }, [box, returnTo])
}

/**
 * For a panel whose buttons come and go: the focus stays in the panel while it is open, and returns to the previous
 * element when it closes. Give the element `tabIndex={-1}` and the returned handlers.
 */
export function usePanelFocus(box: RefObject<HTMLElement | null>) {
  const [returnTo] = useState(() => document.activeElement)
  const inside = useRef(false)
  useLayoutEffect(() => {
    if (inside.current && box.current?.contains(document.activeElement) === false) box.current.focus()
  })
  useEffect(() => {
    const wasInside = inside
    return () => {
      if (wasInside.current) restoreFocus(returnTo)
    }
  }, [returnTo])
  return {
    onFocus: () => {
      inside.current = true
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      inside.current = currentTarget.contains(relatedTarget)
    },
  }
}

/** Focuses the main area if the element that opened the panel is gone. */
function restoreFocus(element: Element | null): void {
  const exists = element instanceof HTMLElement && element.isConnected && element !== document.body
  const target = exists ? element : document.getElementById('main')
  target?.focus()
}

/**
 * The `onCloseAutoFocus` of a dialog without a trigger button: returns the focus to the previous element.
 *
 * @param before that element, if something else had the focus meanwhile
 */
export function useCloseAutoFocus(before?: Element | null): (event: Event) => void {
  const [returnTo] = useState(() => before ?? document.activeElement)
  return (event) => {
    event.preventDefault()
    // A prompt that opened meanwhile keeps the focus. Without one, the focus is on an element around `returnTo`, such as `body`.
    const isFree = document.activeElement?.contains(returnTo) ?? true
    if (isFree && returnTo instanceof HTMLElement) returnTo.focus()
  }
}
