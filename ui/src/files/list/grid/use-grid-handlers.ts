import { type FocusEvent, type KeyboardEvent, type MouseEvent, type PointerEvent, type RefObject, useRef } from 'react'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { MenuAnchor } from '../../../kit/menu/menu.tsx'
import { enterTarget } from '../model/grid-state.ts'
import { type KeyAction, NO_TYPE_AHEAD, actionOfKey, findTyped, continuesText, typed } from '../model/grid-keys.ts'
import { type Selection, countSelected, isSelected, selectOnly } from '../model/selection.ts'
import type { Grid } from './use-grid.ts'
import { elementWith } from '../../../lib/element-with.ts'
import { useLongPress } from '../../../kit/keyboard/use-long-press.ts'

export interface GridActions {
  open(entry: Resource): void
  /** Shows the focused entry, or hides it. Without it, Space selects. */
  readonly look?: (() => void) | undefined
  /** Opens the menu of the selection. */
  showMenu(selection: Selection, anchor: MenuAnchor): void
}

interface HandlersOptions {
  readonly grid: Grid
  readonly element: RefObject<HTMLElement | null>
  readonly actions: GridActions
  readonly singleClick: boolean
}

/** Handles mouse, touch and keys of the grid, once for all its cells. */
export function useGridHandlers({ grid, element, actions, singleClick }: HandlersOptions) {
  const wantsFocus = useRef(false)
  const holdsFocus = useRef(false)
  const previous = useRef<string | null>(null)
  const letters = useRef(NO_TYPE_AHEAD)
  const { state, view, entries, entryOf, send } = grid
  const anySelected = state.multiple || countSelected(state.selection, entries.length) > 0

  const sendAndFocus = (event: Parameters<typeof send>[0]): void => {
    wantsFocus.current = true
    send(event)
  }
  const open = (name: string | null): void => {
    const entry = name === null ? undefined : entryOf(name)
    if (entry !== undefined) actions.open(entry)
  }
  const press = useLongPress((name) => {
    if (!isSelected(state.selection, name)) sendAndFocus({ kind: 'toggle', name })
    // Safari has no `vibrate`.
    if ('vibrate' in navigator) navigator.vibrate(10)
  })

  const click = (event: MouseEvent): void => {
    const name = entryNameAt(event.target)
    if (name === null) return
    const link = event.target instanceof Element && event.target.closest('a') !== null
    if (link) event.preventDefault()
    if (press.consumed()) return
    const menuButton = menuButtonAt(event.target)
    if (menuButton !== null) return showEntryMenu(name, { element: menuButton })
    const command = event.ctrlKey || event.metaKey
    if (isCheckBox(event.target))
      return sendAndFocus({ kind: 'click', name, toggle: !event.shiftKey, extend: event.shiftKey })
    // Screen readers "click" the link without a pointer, to open it.
    if (link && event.detail === 0) return open(name)
    const touch = event.nativeEvent instanceof globalThis.PointerEvent && event.nativeEvent.pointerType === 'touch'
    const meaning = meaningOf(
      { name, touch, toggle: command, extend: event.shiftKey, count: event.detail },
      { singleClick, multiple: state.multiple, anySelected, previous: previous.current },
    )
    previous.current = meaning === 'open' ? null : name
    if (meaning === 'open') {
      sendAndFocus({ kind: 'focus', name })
      open(name)
    } else {
      sendAndFocus({
        kind: 'click',
        name,
        toggle: meaning === 'toggle' || meaning === 'extendMore',
        extend: meaning.startsWith('extend'),
      })
    }
  }

  const showEntryMenu = (name: string, anchor: MenuAnchor): void => {
    const selected = isSelected(state.selection, name)
    if (!selected) send({ kind: 'select', names: [name] })
    actions.showMenu(selected ? state.selection : selectOnly([name]), anchor)
  }

  const contextMenu = (event: MouseEvent): void => {
    const name = entryNameAt(event.target)
    if (name === null) return
    event.preventDefault()
    event.stopPropagation()
    if (press.active()) return
    showEntryMenu(name, { x: event.clientX, y: event.clientY, returnTo: cellAt(event.target) })
  }

  const perform = (action: KeyAction): void => {
    switch (action.kind) {
      case 'move':
        return sendAndFocus(action)
      case 'toggle':
        return state.focus === null ? undefined : sendAndFocus({ kind: 'toggle', name: state.focus })
      case 'open':
        return open(enterTarget(state, view))
      case 'menu':
        return showMenuOfFocus()
      case 'type':
        return jump(action.key)
    }
  }
  const showMenuOfFocus = (): void => {
    const cell = document.activeElement?.closest<HTMLElement>('[data-entry]')
    if (cell === null || cell === undefined || state.focus === null) return
    showEntryMenu(state.focus, { element: cell })
  }
  const jump = (key: string): void => {
    letters.current = typed(letters.current, key, performance.now())
    const from = state.focus === null ? -1 : view.indexOf(state.focus)
    const name = view.names[findTyped(view.names, from, letters.current.text)]
    if (name !== undefined) sendAndFocus({ kind: 'focus', name })
  }

  const keyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || !isCellOrBox(event.target)) return
    if (event.key === ' ' && isCheckBox(event.target)) return
    const keys = { key: event.key, command: event.ctrlKey || event.metaKey, shift: event.shiftKey, alt: event.altKey }
    const rightToLeft = element.current !== null && getComputedStyle(element.current).direction === 'rtl'
    const action = actionOfKey(keys, view.layout.columns, rightToLeft)
    if (action === null) return
    event.preventDefault()
    const isSpace = action.kind === 'toggle' && !keys.command
    if (isSpace && continuesText(letters.current, view.names, ' ', performance.now())) jump(' ')
    else if (isSpace && actions.look !== undefined && !state.multiple && state.focus !== null) actions.look()
    else perform(action)
  }

  const props = {
    onClick: click,
    onContextMenu: contextMenu,
    onKeyDown: keyDown,
    onFocus: (event: { target: EventTarget }) => {
      holdsFocus.current = true
      const name = entryNameAt(event.target)
      if (name !== null && name !== state.focus) send({ kind: 'focused', name })
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) holdsFocus.current = false
    },
    onPointerDown: (event: PointerEvent) => press.start(event, entryNameAt(event.target), singleClick),
    onPointerMove: press.move,
    onPointerUp: press.cancel,
    onPointerCancel: press.cancel,
  }
  return { props, wantsFocus, holdsFocus }
}

function cellAt(target: EventTarget | null): HTMLElement | undefined {
  return target instanceof Element ? (target.closest<HTMLElement>('[data-entry]') ?? undefined) : undefined
}

/** The name of the entry that contains an event's target; null outside of all entries. */
export function entryNameAt(target: EventTarget | null): string | null {
  return cellAt(target)?.dataset['entry'] ?? null
}

function isCheckBox(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement
}

function menuButtonAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-menu]') : null
}

/** Buttons in the header and in rows handle their own keys. */
function isCellOrBox(target: EventTarget | null): boolean {
  return cellAt(target) !== undefined && (isCheckBox(target) || !(target instanceof HTMLButtonElement))
}

/** The row or tile of an entry; null when it is not rendered. */
export function cellOf(within: Element | null, name: string): HTMLElement | null {
  return elementWith(within, 'data-entry', name)
}

/** The row or tile that Tab reaches. */
export function tabStopIn(within: Element | null): HTMLElement | null {
  return within?.querySelector<HTMLElement>('[data-entry][tabindex="0"]') ?? null
}

export interface Press {
  readonly name: string
  readonly touch: boolean
  readonly toggle: boolean
  readonly extend: boolean
  /** How many clicks in a row this is, at the speed that the user has chosen for the whole computer. */
  readonly count: number
}

export interface PressContext {
  /** The user's preference: one click opens. */
  readonly singleClick: boolean
  /** Every click toggles. */
  readonly multiple: boolean
  readonly anySelected: boolean
  /** The entry of the click before. */
  readonly previous: string | null
}

type PressMeaning = 'open' | 'select' | 'toggle' | 'extend' | 'extendMore'

/**
 * The meaning of a click. With a mouse, one click selects and a second one opens. On touch screens a tap opens, unless
 * something is selected (by a long press or a check box): then taps toggle.
 */
export function meaningOf(press: Press, context: PressContext): PressMeaning {
  if (press.extend) return press.toggle ? 'extendMore' : 'extend'
  if (press.toggle || context.multiple) return 'toggle'
  if (press.touch) return context.anySelected ? 'toggle' : 'open'
  if (context.singleClick) return 'open'
  return press.count > 1 && press.name === context.previous ? 'open' : 'select'
}
