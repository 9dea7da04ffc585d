import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useStore } from '../lib/create-store.ts'
import { classNames } from '../lib/class-names.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import type { IconName } from './icon-names.ts'
import { type MenuEntry, useMenus } from './menu.tsx'

interface MenuButtonProps {
  /** Names the menu; without `children` the button too. */
  label: string
  icon?: IconName | undefined
  /** Called when the menu opens. */
  entries: () => readonly MenuEntry[]
  size?: 'small' | 'medium' | undefined
  /** The edge of the button that the menu keeps to; its end unless told. */
  align?: 'start' | 'end' | undefined
  className?: string | undefined
  /** The text of the button. Without it, it is an icon button. */
  children?: ReactNode
  tabIndex?: number | undefined
}

/** A button that opens a menu beneath itself: by click, Enter, Space and arrow down. */
export function MenuButton({ label, icon, entries, size, align, className, children, tabIndex }: MenuButtonProps) {
  const menus = useMenus()
  const open = useStore(menus.current, (menu) => menu?.label === label && 'element' in menu.anchor)
  const show = (element: HTMLElement) => menus.open({ label, anchor: { element, align }, entries: entries() })
  const shared = {
    tabIndex,
    'aria-haspopup': 'menu' as const,
    'aria-expanded': open,
    className: classNames(className),
    onClick: (event: MouseEvent<HTMLButtonElement>) => show(event.currentTarget),
    onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      show(event.currentTarget)
    },
  }
  if (children === undefined) return <IconButton {...shared} icon={icon ?? 'more'} label={label} size={size} />
  return (
    <Button {...shared} variant="ghost" size={size} icon={icon}>
      {children}
    </Button>
  )
}
