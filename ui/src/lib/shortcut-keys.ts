const MAC_SYMBOLS: Readonly<Record<string, string>> = {
  Ctrl: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Enter: '↩',
  Del: '⌦',
  Backspace: '⌫',
  Esc: '⎋',
}

/** A shortcut in the notation of the platform: "Ctrl+Shift+F" is "⌘+⇧+F" on a Mac. */
export function platformKeys(keys: string, platform: string = navigator.platform): string {
  if (!/^(Mac|iP)/.test(platform)) return keys
  return keys
    .split('+')
    .map((key) => MAC_SYMBOLS[key] ?? key)
    .join('+')
}

/** The parts of a keyboard event that matter for shortcuts. */
type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

const KEY_NAMES: Readonly<Record<string, string>> = {
  Del: 'Delete',
  Esc: 'Escape',
  Space: ' ',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
}

/** Symbols may need Shift on some keyboards. */
const isSymbol = (key: string) => key.length === 1 && !/[a-z0-9]/i.test(key)

/** On keyboards of other scripts, the Latin letter at the same position. */
export const latinKey = ({ key, code }: Pick<KeyPress, 'key' | 'code'>) =>
  key > '\u024F' && code.startsWith('Key') ? code.slice(3) : key

/** Whether a key press matches a shortcut: "F2", "Ctrl+Shift+F", "?". `Ctrl` also means the command key of a Mac. */
export function matchesShortcut(press: KeyPress, keys: string): boolean {
  const parts = keys.split('+')
  const name = parts.pop() || '+'
  const key = KEY_NAMES[name] ?? name
  if (latinKey(press).toLowerCase() !== key.toLowerCase()) return false
  const control = press.ctrlKey || press.metaKey
  if (control !== parts.includes('Ctrl') || press.altKey !== parts.includes('Alt')) return false
  return isSymbol(key) || press.shiftKey === parts.includes('Shift')
}
