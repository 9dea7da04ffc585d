/** Letters typed one after the other belong together for this many milliseconds. */
const PAUSE = 800

export interface TypeAhead {
  readonly text: string
  readonly at: number
}

export const NO_TYPE_AHEAD: TypeAhead = { text: '', at: -Infinity }

export function typed(previous: TypeAhead, key: string, at: number): TypeAhead {
  const fresh = at - previous.at > PAUSE
  return { text: fold(fresh ? key : previous.text + key), at }
}

/** Whether a key that could mean something else goes on with what is being typed: a space in "holiday 2026". */
export function goesOn({ text, at }: TypeAhead, names: readonly string[], key: string, now: number): boolean {
  return text !== '' && now - at <= PAUSE && search(names, 0, fold(text + key)) !== -1
}

/**
 * The next name that begins with what was typed, going round from `focus`. The same letter again and again walks
 * through the names with that letter, while a longer text keeps the name that already matches.
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

function search(names: readonly string[], from: number, text: string): number {
  for (let step = 0; step < names.length; step += 1) {
    const index = (Math.max(0, from) + step) % names.length
    if (fold((names[index] ?? '').slice(0, text.length * 2)).startsWith(text)) return index
  }
  return -1
}

/** So that names are found however they are written: in capitals, with composed letters or not. */
export function fold(text: string): string {
  return text.normalize('NFC').toLocaleLowerCase()
}
