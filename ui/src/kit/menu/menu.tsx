import { createStore, type Store } from '../../lib/create-store.ts'
import type { IconName } from '../icon/icon.tsx'
import { requiredContext } from '../../lib/hooks.ts'

export type MenuEntry = MenuAction | MenuChoice | MenuHeading | MenuSeparator | SubMenu

export interface MenuAction {
  kind?: 'action'
  label: string
  icon?: IconName | undefined
  /** The shortcut, as shown: "Ctrl+C". */
  keys?: string | undefined
  danger?: boolean | undefined
  disabled?: boolean | undefined
  run: () => void
}

/** One of several options; the current one is `checked`. */
export interface MenuChoice extends Omit<MenuAction, 'kind' | 'danger'> {
  kind: 'choice'
  checked: boolean
  /** More than one can be checked. */
  several?: boolean | undefined
}

export interface MenuHeading {
  kind: 'heading'
  label: string
}

export interface MenuSeparator {
  kind: 'separator'
}

export interface SubMenu {
  kind: 'submenu'
  label: string
  icon?: IconName | undefined
  entries: readonly MenuEntry[]
}

/** Below an element, or at the pointer. The focus returns to `element` or `returnTo`, else to the previous element. */
export type MenuAnchor =
  | { element: HTMLElement; align?: 'start' | 'end' | undefined }
  | { x: number; y: number; returnTo?: HTMLElement | undefined }

export interface OpenMenu {
  /** The accessible name. */
  label: string
  anchor: MenuAnchor
  entries: readonly MenuEntry[]
}

export interface Menus {
  readonly current: Store<OpenMenu | undefined>
  open(menu: OpenMenu): void
  close(): void
}

export function createMenus(): Menus {
  const current = createStore<OpenMenu | undefined>(undefined)
  return { current, open: (menu) => current.set(menu), close: () => current.set(undefined) }
}

/** Opens menus, at the pointer too: `menus.open({ label, anchor: { x: event.clientX, y: event.clientY }, entries })` */
export const [MenuProvider, useMenus] = requiredContext<Menus>('Menu')
