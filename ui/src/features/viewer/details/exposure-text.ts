/** "1/125" for what is shorter than half a second. */
export function exposureText(seconds: number): string {
  if (seconds <= 0) return '0'
  return seconds < 0.4 ? `1/${Math.round(1 / seconds)}` : String(Math.round(seconds * 10) / 10)
}
