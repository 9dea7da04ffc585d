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
