const LONGEST = 255

/**
 * The n-th other name: "a.txt" becomes "a(1).txt", ".profile" becomes "(1).profile". A name that would become too long for a
 * disk loses letters before the number.
 */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf('.')
  const end = dot < 0 ? name.length : dot
  const tail = `(${number})${name.slice(end)}`
  const letters = [...name.slice(0, end)]
  while (letters.length > 0 && isTooLong(letters.join('') + tail)) letters.pop()
  return letters.join('') + tail
}

function isTooLong(name: string): boolean {
  return name.length * 3 > LONGEST && new TextEncoder().encode(name).length > LONGEST
}
