import { DropdownMenu as Primitive } from 'radix-ui'
import { type CSSProperties, useState } from 'react'
import { createPortal } from 'react-dom'
import styles from './menu.module.css'
import type { MenuAnchor, OpenMenu, MenuAction, MenuChoice, MenuEntry, SubMenu } from './menu.tsx'
import { classNames } from '../../lib/class-names.ts'
import { Icon } from '../icon/icon.tsx'

/** Pixels between the pointer and a context menu. */
const POINTER_GAP = 8

interface MenuPopupProps {
  menu: OpenMenu
  onClose: () => void
}

export function MenuPopup({ menu, onClose }: MenuPopupProps) {
  const [focused] = useState(() => document.activeElement)
  const previous = focused instanceof HTMLElement ? focused : undefined
  const returnTo = 'element' in menu.anchor ? menu.anchor.element : (menu.anchor.returnTo ?? previous)
  const atPointer = !('element' in menu.anchor)
  const landmark = landmarkOf(returnTo)
  const rightToLeft = document.documentElement.dir === 'rtl'
  return (
    <Primitive.Root open modal={false} dir={rightToLeft ? 'rtl' : 'ltr'} onOpenChange={(open) => open || onClose()}>
      <Primitive.Trigger asChild>
        <span aria-hidden="true" style={anchorStyle(menu.anchor)} />
      </Primitive.Trigger>
      {createPortal(<div className={styles['scrim']} />, landmark)}
      <Primitive.Portal container={landmark}>
        <Primitive.Content
          className={styles['menu']}
          aria-label={menu.label}
          aria-labelledby={undefined}
          // Beside the pointer a long menu can shift up; below the pointer its end would be cut off.
          side={atPointer ? (rightToLeft ? 'left' : 'right') : 'bottom'}
          align={'element' in menu.anchor ? (menu.anchor.align ?? 'end') : 'start'}
          sideOffset={atPointer ? POINTER_GAP : 4}
          collisionPadding={8}
          onPointerUpCapture={(event) => {
            // The press of the right button opens the menu; its release must not choose the action that has appeared there.
            if (event.button !== 0) event.stopPropagation()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (!returnTo?.isConnected) return
            // A prompt opened by the action keeps the focus. Without one, an element around `returnTo` has it, such as `body`.
            if (document.activeElement?.contains(returnTo) ?? true) returnTo.focus()
          }}
        >
          {/* Focuses `returnTo` first: a prompt opened by the action will return the focus there, not to the menu. */}
          <MenuEntries entries={menu.entries} onChoose={() => returnTo?.focus({ preventScroll: true })} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** The landmark of the anchor: screen readers find the menu in the same part of the page. */
function landmarkOf(element: HTMLElement | null | undefined): HTMLElement {
  return (
    element?.closest<HTMLElement>('[role="dialog"], [role="alertdialog"], [role="complementary"], main') ??
    document.body
  )
}

/** The popup is positioned against an invisible box: over the button, or a point at the pointer. */
function anchorStyle(anchor: MenuAnchor): CSSProperties {
  const fixed = { position: 'fixed', pointerEvents: 'none' } as const
  if (!('element' in anchor)) return { ...fixed, left: anchor.x, top: anchor.y, inlineSize: 0, blockSize: 0 }
  const { left, top, width, height } = anchor.element.getBoundingClientRect()
  return { ...fixed, left, top, width, height }
}

interface MenuEntriesProps {
  entries: readonly MenuEntry[]
  /** Called before the chosen action runs. */
  onChoose: () => void
}

export function MenuEntries({ entries, onChoose }: MenuEntriesProps) {
  return entries.map((entry, index) => <Entry key={index} entry={entry} onChoose={onChoose} />)
}

interface EntryProps<Kind extends MenuEntry = MenuEntry> {
  entry: Kind
  onChoose: () => void
}

function Entry({ entry, onChoose }: EntryProps) {
  switch (entry.kind) {
    case 'separator':
      return <Primitive.Separator className={styles['separator']} />
    case 'heading':
      return (
        <Primitive.Label className={styles['heading']}>
          <bdi className="clip">{entry.label}</bdi>
        </Primitive.Label>
      )
    case 'submenu':
      return <Submenu entry={entry} onChoose={onChoose} />
    case 'choice':
      return <Choice entry={entry} onChoose={onChoose} />
    default:
      return <Action entry={entry} onChoose={onChoose} />
  }
}

function Action({ entry, onChoose }: EntryProps<MenuAction>) {
  return (
    <Primitive.Item
      className={classNames(styles['item'], entry.danger && styles['danger'])}
      disabled={entry.disabled ?? false}
      onSelect={() => {
        onChoose()
        entry.run()
      }}
    >
      {entry.icon && <Icon name={entry.icon} size={16} />}
      <span className="clip">{entry.label}</span>
      {entry.keys && <span className={styles['end']}>{entry.keys}</span>}
    </Primitive.Item>
  )
}

function Choice({ entry, onChoose }: EntryProps<MenuChoice>) {
  return (
    <Primitive.CheckboxItem
      className={styles['item']}
      role={entry.several ? 'menuitemcheckbox' : 'menuitemradio'}
      checked={entry.checked}
      disabled={entry.disabled ?? false}
      onSelect={() => {
        onChoose()
        entry.run()
      }}
    >
      {entry.icon && <Icon name={entry.icon} size={16} />}
      <span className="clip">{entry.label}</span>
      <span className={styles['end']}>{entry.checked && <Icon name="check" size={16} />}</span>
    </Primitive.CheckboxItem>
  )
}

function Submenu({ entry, onChoose }: EntryProps<SubMenu>) {
  const [trigger, setTrigger] = useState<HTMLElement | null>(null)
  return (
    <Primitive.Sub>
      <Primitive.SubTrigger ref={setTrigger} className={styles['item']}>
        {entry.icon && <Icon name={entry.icon} size={16} />}
        <span className="clip">{entry.label}</span>
        <span className={styles['end']}>
          <Icon name="right" size={16} flip />
        </span>
      </Primitive.SubTrigger>
      <Primitive.Portal container={landmarkOf(trigger)}>
        <Primitive.SubContent className={styles['menu']} collisionPadding={8}>
          <MenuEntries entries={entry.entries} onChoose={onChoose} />
        </Primitive.SubContent>
      </Primitive.Portal>
    </Primitive.Sub>
  )
}
