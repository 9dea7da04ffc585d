import { useState } from 'react'

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
