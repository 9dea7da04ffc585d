/** One text on the screen. */
export interface Cue {
  /** Milliseconds from the start of the film. */
  readonly start: number
  readonly end: number
  /** Of one or several lines, in the markup of WebVTT. */
  readonly text: string
}

const HOUR = 3_600_000

/** "01:02:03.004" (W3C WebVTT, 4.3). */
export function vttTime(time: number): string {
  const pad = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0')
  return `${pad(time / HOUR, 2)}:${pad((time / 60_000) % 60, 2)}:${pad((time / 1000) % 60, 2)}.${pad(time % 1000, 3)}`
}

/** @param fraction digits behind the point: "5" is half a second */
export function millisecondsOf(hours: string, minutes: string, seconds: string, fraction: string): number {
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return whole * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3))
}

/** What would end a cue, or begin an entity, is written as text. Entities that are there stay. */
export function escapeVtt(text: string): string {
  return text.replaceAll(/&(?!(?:amp|lt|gt|nbsp|lrm|rlm);)/g, '&amp;').replaceAll('-->', '--&gt;')
}

/** The lines of a text, whatever ends them, one after the other. */
export function* linesOf(text: string): Generator<string, void, void> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start)
    const line = end < 0 ? text.slice(start) : text.slice(start, end)
    yield line.endsWith('\r') ? line.slice(0, -1) : line
    if (end < 0) return
    start = end + 1
  }
}
