/** Whether a terminal may get colours and other escape sequences: https://no-color.org, and terminals that print them as text. */
export function takesStyle({
  NO_COLOR: without = '',
  TERM: kind,
}: Readonly<Record<string, string | undefined>>): boolean {
  return without === '' && kind !== 'dumb'
}
