/** The n-th other name: "a.txt" becomes "a(1).txt", ".profile" becomes "(1).profile". */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf('.')
  const end = dot < 0 ? name.length : dot
  return `${name.slice(0, end)}(${number})${name.slice(end)}`
}
