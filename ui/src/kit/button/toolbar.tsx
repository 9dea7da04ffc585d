import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { classNames } from '../../lib/class-names.ts'
import styles from './toolbar.module.css'

interface ToolbarProps {
  label: string
  /** Across the page, highlighted for a selection, or at the bottom within reach of the thumb. */
  variant?: 'page' | 'selection' | 'thumb' | undefined
  className?: string | undefined
  children: ReactNode
}

/** One tab stop for all its buttons; arrows, Home and End move between them. */
export function Toolbar({ label, variant, className, children }: ToolbarProps) {
  const box = useRef<HTMLDivElement>(null)
  useSingleTabStop(box)
  const handleKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (box.current === null || event.defaultPrevented) return
    const target = neighbour(buttonsIn(box.current), document.activeElement, event.key, isRightToLeft(box.current))
    if (target === undefined) return
    event.preventDefault()
    target.focus()
  }
  return (
    <div
      ref={box}
      className={classNames(variant && styles[variant], className)}
      role="toolbar"
      aria-label={label}
      onKeyDown={handleKeyDown}
      onFocus={(event) => box.current && keepTabStop(box.current, event.target)}
    >
      {children}
    </div>
  )
}

/** Text at the start of a toolbar, such as the number of items. */
export function ToolbarText({ children }: { children: ReactNode }) {
  return <span className={styles['text']}>{children}</span>
}

function useSingleTabStop(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const toolbar = box.current
    if (toolbar === null) return
    const update = () => keepTabStop(toolbar, toolbar.querySelector('[tabindex="0"]'))
    const observer = new MutationObserver(update)
    observer.observe(toolbar, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    update()
    return () => observer.disconnect()
  }, [box])
}

function buttonsIn(toolbar: HTMLElement): HTMLElement[] {
  return [...toolbar.querySelectorAll<HTMLElement>('button:not(:disabled), a[href]')]
}

/** Keeps only this element in the tab order, or the first button if the element is not a button of this toolbar. */
function keepTabStop(toolbar: HTMLElement, element: Element | null): void {
  const buttons = buttonsIn(toolbar)
  const stop = buttons.find((button) => button === element) ?? buttons[0]
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1
}

function neighbour(
  buttons: readonly HTMLElement[],
  current: Element | null,
  key: string,
  rightToLeft: boolean,
): HTMLElement | undefined {
  const index = buttons.findIndex((button) => button === current)
  if (index === -1) return undefined
  const steps: Readonly<Record<string, number>> = { ArrowRight: rightToLeft ? -1 : 1, ArrowLeft: rightToLeft ? 1 : -1 }
  if (key === 'Home') return buttons[0]
  if (key === 'End') return buttons.at(-1)
  const step = steps[key]
  return step === undefined ? undefined : buttons[(index + step + buttons.length) % buttons.length]
}

function isRightToLeft(element: Element): boolean {
  return getComputedStyle(element).direction === 'rtl'
}
