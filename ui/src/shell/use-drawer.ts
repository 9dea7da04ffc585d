import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useMenus } from '../kit/menu/menu.tsx'
import { usePromptStack } from '../kit/dialog/prompt-stack.tsx'
import { useLocation } from '../lib/navigation/navigation.tsx'
import { NARROW, useMediaQuery } from '../lib/hooks.ts'

export interface Drawer {
  /** On narrow screens the sidebar is hidden until the user opens it. */
  readonly narrow: boolean
  readonly open: boolean
  show(): void
  close(): void
}

/** The sidebar as a drawer on narrow screens. Escape and navigation close it, and the focus returns. */
export function useDrawer(): Drawer {
  const narrow = useMediaQuery(NARROW)
  const href = useLocation().href
  const [openAt, setOpenAt] = useState<string>()
  const returnTo = useRef<Element>(null)
  const open = narrow && openAt === href
  const prompts = usePromptStack().open
  const menu = useMenus().current
  const isCovered = useEffectEvent(() => prompts.get().length > 0 || menu.get() !== undefined)

  useEffect(() => {
    if (!open) return
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isCovered()) setOpenAt(undefined)
    }
    // In the capture phase, before an overlay on top of the drawer closes with the same key.
    addEventListener('keydown', closeOnEscape, true)
    return () => {
      removeEventListener('keydown', closeOnEscape, true)
      if (returnTo.current instanceof HTMLElement) returnTo.current.focus()
    }
  }, [open])

  const show = () => {
    // Read before the drawer opens, which makes the focused element inert.
    returnTo.current = document.activeElement
    setOpenAt(href)
  }
  return { narrow, open, show, close: () => setOpenAt(undefined) }
}

/** Puts the focus into the drawer when it opens; the rest of the page is inert meanwhile. */
export function useDrawerFocus({ open }: Drawer): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) box.current?.focus()
  }, [open])
  return box
}
