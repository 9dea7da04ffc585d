import { type ReactNode, startTransition, useEffect, useState } from 'react'

/** Milliseconds. Windows in the background draw no frames. */
const LONGEST = 1000

/** Draws its content after the first frame: nobody opens the page for it, so the rest of the screen must not wait for it. */
export function Later({ children }: { readonly children: ReactNode }) {
  const [drawn, setDrawn] = useState(false)
  useEffect(() => {
    let next: ReturnType<typeof setTimeout> | undefined
    const draw = (): void => startTransition(() => setDrawn(true))
    const frame = requestAnimationFrame(() => (next = setTimeout(draw)))
    const last = setTimeout(draw, LONGEST)
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(next)
      clearTimeout(last)
    }
  }, [])
  return drawn && children
}
