import { escapeVtt, linesOf, millisecondsOf, type Cue } from './cue.ts'

const TIME = String.raw`(\d{1,3}):(\d{1,2}):(\d{1,2})[,.:](\d{1,3})`
const TIMING = new RegExp(String.raw`^[ \t]{0,9}${TIME}[ \t]{0,9}-->[ \t]{0,9}${TIME}`)
const NUMBER = /^[ \t]{0,9}\d{1,9}[ \t]{0,9}$/
// Excluding the opening character keeps both linear: a file full of "<br" or "{\" would take quadratic time otherwise.
const BREAK = /<br[^<>]*>/gi
const OVERRIDE = /\{\\[^{}]*\}/g

/** The cues of a SubRip file, in file order. Cue numbers are ignored, since many files number them wrongly or not at all. */
export function* readSrt(text: string): Generator<Cue, void, void> {
  let timing: Omit<Cue, 'text'> | undefined
  let lines: string[] = []
  for (const line of linesOf(text)) {
    const found = TIMING.exec(line)
    if (found === null) {
      if (timing !== undefined) lines.push(line)
      continue
    }
    if (timing !== undefined) yield { ...timing, text: textOf(lines, 'another cue follows') }
    timing = timingOf(found)
    lines = []
  }
  if (timing !== undefined) yield { ...timing, text: textOf(lines) }
}

function timingOf(found: RegExpExecArray): Omit<Cue, 'text'> {
  const [, ...parts] = found
  const time = (from: number) =>
    millisecondsOf(parts[from] ?? '', parts[from + 1] ?? '', parts[from + 2] ?? '', parts[from + 3] ?? '')
  return { start: time(0), end: time(4) }
}

/** @param next if given, a number in the last line belongs to the next cue */
function textOf(lines: string[], next?: 'another cue follows'): string {
  const own = [...lines]
  const dropBlank = () => {
    while (own.at(-1)?.trim() === '') own.pop()
  }
  dropBlank()
  if (next !== undefined && NUMBER.test(own.at(-1) ?? '') && lines.length > 1) own.pop()
  dropBlank()
  const marked = own.join('\n').replaceAll(OVERRIDE, '').replaceAll(BREAK, '\n')
  // A blank line would end the cue.
  return escapeVtt(marked).replaceAll(/\n{2,}/g, '\n')
}
