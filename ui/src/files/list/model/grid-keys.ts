import type { Direction } from './grid-state.ts'

export interface KeyPress {
  readonly key: string
  /** Control, or Command on a Mac. */
  readonly command: boolean
  readonly shift: boolean
  readonly alt: boolean
}

export type KeyAction =
  | { readonly kind: 'move'; readonly direction: Direction; readonly extend: boolean }
  | { readonly kind: 'type'; readonly key: string }
  | { readonly kind: 'toggle' | 'open' | 'menu' }

const MOVES: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'home',
  End: 'end',
  PageUp: 'pageUp',
  PageDown: 'pageDown',
}

const PLAIN: Readonly<Record<string, KeyAction>> = {
  ' ': { kind: 'toggle' },
  Enter: { kind: 'open' },
  ContextMenu: { kind: 'menu' },
}

/**
 * What a key asks of the listing that has the focus; null when it is not for the listing.
 *
 * @param columns entries beside each other; with one, left and right do nothing
 */
export function actionOfKey(press: KeyPress, columns: number, rightToLeft: boolean): KeyAction | null {
  if (press.alt) return null
  if (press.shift && press.key === 'F10') return { kind: 'menu' }
  const direction = MOVES[press.key] ?? sideways(press.key, columns, rightToLeft)
  if (direction !== null) return { kind: 'move', direction, extend: press.shift }
  if (press.command) return press.key === ' ' ? { kind: 'toggle' } : null
  return PLAIN[press.key] ?? (isLetter(press.key) ? { kind: 'type', key: press.key } : null)
}

function sideways(key: string, columns: number, rightToLeft: boolean): Direction | null {
  if (columns === 1 || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return null
  return (key === 'ArrowRight') === rightToLeft ? 'before' : 'after'
}

/** "/" is kept for a filter, "?" for help. */
function isLetter(key: string): boolean {
  return [...key].length === 1 && key !== '/' && key !== '?'
}
