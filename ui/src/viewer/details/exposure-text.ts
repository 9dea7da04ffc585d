/** "1/125" for what is shorter than half a second. */
export function exposureText(seconds: number, format: (value: number) => string): string {
  if (seconds <= 0) return format(0)
  return seconds < 0.4 ? `1/${Math.round(1 / seconds)}` : format(Math.round(seconds * 10) / 10)
}
