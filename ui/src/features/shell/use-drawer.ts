import { useRouterState } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { NARROW, useMediaQuery } from '../../lib/use-media-query.ts'

export interface Drawer {
  /** Narrow screens only: there the sidebar is hidden until it is asked for. */
  readonly narrow: boolean
  readonly open: boolean
  show(): void
  close(): void
}

/** The sidebar as a drawer. Escape and going elsewhere close it, and the focus returns to where it was. */
export function useDrawer(): Drawer {
  const narrow = useMediaQuery(NARROW)
  const href = useRouterState({ select: ({ location }) => location.href })
  const [openAt, setOpenAt] = useState<string>()
  const returnTo = useRef<Element>(null)
  const open = narrow && openAt === href

  useEffect(() => {
    if (!open) return
    returnTo.current = document.activeElement
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpenAt(undefined)
    }
    addEventListener('keydown', closeOnEscape)
    return () => {
      removeEventListener('keydown', closeOnEscape)
      if (returnTo.current instanceof HTMLElement) returnTo.current.focus()
    }
  }, [open])

  return { narrow, open, show: () => setOpenAt(href), close: () => setOpenAt(undefined) }
}

/** Puts the focus into the drawer when it opens; the rest of the page is inert meanwhile. */
export function useDrawerFocus({ open }: Drawer): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) box.current?.focus()
  }, [open])
  return box
}
