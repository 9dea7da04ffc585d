import { foldForSearch } from '../../../../../src/domain/text/fold.ts'
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
 * The action of a key in the focused listing; null for other keys.
 *
 * @param columns entries per line; with one, left and right do nothing
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

/** "/" opens the filter and "?" the help. */
function isLetter(key: string): boolean {
  return [...key].length === 1 && key !== '/' && key !== '?'
}

/** Milliseconds. After a longer pause, the next letter starts a new text. */
const PAUSE = 800

interface TypeAhead {
  readonly text: string
  readonly at: number
}

export const NO_TYPE_AHEAD: TypeAhead = { text: '', at: -Infinity }

export function typed(previous: TypeAhead, key: string, at: number): TypeAhead {
  const fresh = at - previous.at > PAUSE
  return { text: foldForSearch(fresh ? key : previous.text + key), at }
}

/** Whether a key continues the text being typed, although it also has an action: the space in "holiday 2026". */
export function continuesText({ text, at }: TypeAhead, names: readonly string[], key: string, now: number): boolean {
  return text !== '' && now - at <= PAUSE && search(names, 0, foldForSearch(text + key)) !== -1
}

/**
 * The next name that starts with the typed text, wrapping around from `focus`. Repeating one letter cycles through the
 * names with that letter; a longer text stays on a name that still matches.
 *
 * @returns its index, or -1
 */
export function findTyped(names: readonly string[], focus: number, text: string): number {
  const repeated = text.length > 1 && [...text].every((letter) => letter === text[0])
  const exact = repeated ? search(names, focus, text) : -1
  if (exact !== -1) return exact
  if (repeated) return search(names, focus + 1, text.slice(0, 1))
  return search(names, text.length > 1 ? focus : focus + 1, text)
}

/** A letter with its marks, or a syllable of Hangul in NFD, is rarely longer. */
const LONGEST = 4

function search(names: readonly string[], from: number, text: string): number {
  for (let step = 0; step < names.length; step += 1) {
    const index = (Math.max(0, from) + step) % names.length
    if (foldForSearch((names[index] ?? '').slice(0, text.length * LONGEST)).startsWith(text)) return index
  }
  return -1
}
