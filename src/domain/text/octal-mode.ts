/** Reads 640, 0640 and 0o640 as the same mode, as usual on Unix. Undefined for anything else. */
export function parseMode(text: string): number | undefined {
  const digits = /^(?:0?o)?([0-7]{1,5})$/i.exec(text.trim())?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 8)
}

/** Such as "0640" or "2750". */
export function formatMode(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}
