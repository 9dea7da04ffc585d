import { type RefObject, useLayoutEffect, useState } from 'react'

/** For what opens by a key and is no dialog: when it goes while it has the focus, that returns to where it was before. */
export function useFocusBack(box: RefObject<HTMLElement | null>): void {
  const [returnTo] = useState(() => document.activeElement)
  useLayoutEffect(() => {
    const element = box.current
    return () => {
      if (element?.contains(document.activeElement) && returnTo instanceof HTMLElement) returnTo.focus()
    }
  }, [box, returnTo])
}
