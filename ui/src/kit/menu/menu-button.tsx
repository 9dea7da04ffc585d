import type { ComponentProps, KeyboardEvent } from 'react'
import { useStore } from '../../lib/create-store.ts'
import { Button, IconButton } from '../button/button.tsx'
import type { IconName } from '../icon/icon.tsx'
import { type MenuEntry, useMenus } from './menu.tsx'

interface MenuButtonProps extends Omit<ComponentProps<'button'>, 'onClick' | 'onKeyDown'> {
  /** Names the menu, and without `children` also the button. */
  label: string
  icon?: IconName | undefined
  /** Called when the menu opens. */
  entries: () => readonly MenuEntry[]
  size?: 'small' | 'medium' | undefined
  /** The edge of the button that the menu aligns with; the end by default. */
  align?: 'start' | 'end' | undefined
}

/** A button that opens a menu below itself, also with the down arrow key. Without `children` it is an icon button. */
export function MenuButton({ label, icon, entries, size, align, children, ...rest }: MenuButtonProps) {
  const menus = useMenus()
  const open = useStore(menus.current, (menu) => menu?.label === label && 'element' in menu.anchor)
  const show = (element: HTMLElement) => menus.open({ label, anchor: { element, align }, entries: entries() })
  const shared = {
    ...rest,
    'aria-haspopup': 'menu' as const,
    'aria-expanded': open,
    onClick: ({ currentTarget }: { currentTarget: HTMLElement }) => show(currentTarget),
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
