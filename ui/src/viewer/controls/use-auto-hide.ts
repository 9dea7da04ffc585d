import { type RefObject, useEffect, useState } from 'react'

const HIDE_AFTER = 1500

const BARS = ':is([data-chrome], [role="toolbar"])'
const IN_USE = `${BARS}:is(:hover, :focus-visible), ${BARS} :focus-visible, [aria-expanded="true"]`

/**
 * Whether the viewer's bars are visible: toolbars and elements with `data-chrome`. They hide after a while without
 * pointer or key events, unless the pointer is over one of them or the keyboard focus is in it.
 *
 * @param enabled false keeps them visible
 */
export function useAutoHide(viewer: RefObject<HTMLElement | null>, enabled: boolean): boolean {
  const [visible, setVisible] = useState(true)
  useEffect(() => {
    setVisible(true)
    const element = viewer.current
    if (!enabled || element === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const hide = (): void => {
      if (element.querySelector(IN_USE) === null) setVisible(false)
      else timer = setTimeout(hide, HIDE_AFTER)
    }
    const show = (): void => {
      clearTimeout(timer)
      setVisible(true)
      timer = setTimeout(hide, HIDE_AFTER)
    }
    show()
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
    for (const name of events) element.addEventListener(name, show)
    document.addEventListener('keydown', show)
    return () => {
      clearTimeout(timer)
      for (const name of events) element.removeEventListener(name, show)
      document.removeEventListener('keydown', show)
    }
  }, [viewer, enabled])
  return visible
}
