const SIGNS_OF_A_MAC: Readonly<Record<string, string>> = {
  Ctrl: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Enter: '↩',
  Del: '⌦',
  Backspace: '⌫',
  Esc: '⎋',
}

/** A shortcut as the keyboard of this machine has it: "Ctrl+Shift+F" is "⌘+⇧+F" on a Mac. */
export function platformKeys(keys: string, platform: string = navigator.platform): string {
  if (!/^(Mac|iP)/.test(platform)) return keys
  return keys
    .split('+')
    .map((key) => SIGNS_OF_A_MAC[key] ?? key)
    .join('+')
}

/** What a key press must have for a shortcut to match. */
type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

const KEY_NAMES: Readonly<Record<string, string>> = {
  Del: 'Delete',
  Esc: 'Escape',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
}

/** Keys whose character already takes Shift on some keyboards. */
const isSign = (key: string) => key.length === 1 && !/[a-z0-9]/i.test(key)

/** On a keyboard of another script the letter that stands at the same place. */
export const latinKey = ({ key, code }: Pick<KeyPress, 'key' | 'code'>) =>
  key > '\u024F' && code.startsWith('Key') ? code.slice(3) : key

/**
 * Says whether a key press is this shortcut: "F2", "Ctrl+Shift+F", "?". `Ctrl` is also the command key of a Mac.
 */
export function matchesShortcut(press: KeyPress, keys: string): boolean {
  const parts = keys.split('+')
  const name = parts.pop() || '+'
  const key = KEY_NAMES[name] ?? name
  if (latinKey(press).toLowerCase() !== key.toLowerCase()) return false
  const control = press.ctrlKey || press.metaKey
  if (control !== parts.includes('Ctrl') || press.altKey !== parts.includes('Alt')) return false
  return isSign(key) || press.shiftKey === parts.includes('Shift')
}
