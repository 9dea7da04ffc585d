/** One subtitle. */
export interface Cue {
  /** Milliseconds from the start of the video. */
  readonly start: number
  readonly end: number
  /** One or more lines of WebVTT markup. */
  readonly text: string
}

const HOUR = 3_600_000

/** Formats milliseconds as "01:02:03.004" (W3C WebVTT, 4.3). */
export function vttTime(time: number): string {
  const pad = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0')
  return `${pad(time / HOUR, 2)}:${pad((time / 60_000) % 60, 2)}:${pad((time / 1000) % 60, 2)}.${pad(time % 1000, 3)}`
}

/** @param fraction digits after the point: "5" is half a second */
export function millisecondsOf(hours: string, minutes: string, seconds: string, fraction: string): number {
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return whole * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3))
}

/** Escapes `-->`, which would end the cue, and `&` except in entities that WebVTT knows. */
export function escapeVtt(text: string): string {
  return text.replaceAll(/&(?!(?:amp|lt|gt|nbsp|lrm|rlm);)/g, '&amp;').replaceAll('-->', '--&gt;')
}

/** The lines of a text with LF, CRLF or CR. */
export function* linesOf(text: string): Generator<string, void, void> {
  const plain = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
  for (let start = 0; start < plain.length;) {
    const end = plain.indexOf('\n', start)
    yield end < 0 ? plain.slice(start) : plain.slice(start, end)
    if (end < 0) return
    start = end + 1
  }
}
