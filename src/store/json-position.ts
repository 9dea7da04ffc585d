/**
 * Where a text stops being JSON. The parser's own message will not do: it often quotes the surroundings, and those may
 * be a key or a password hash that has no place in a log.
 */
export function jsonErrorPlace(text: string): string {
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (couldGoOn(text.slice(0, middle))) good = middle
    else bad = middle
  }
  if (good === text.length) return 'ends too early'
  const lines = text.slice(0, good).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}: this is not JSON`
}

/** True when a text is the beginning of some JSON document. */
function couldGoOn(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as SyntaxError
    const position = /at position (\d+)/.exec(message)?.[1]
    return /end of JSON input|Unterminated/.test(message) || (position !== undefined && Number(position) >= text.length)
  }
}
