import { escapeVtt, linesOf, millisecondsOf, type Cue } from './cue.ts'

const TIME = String.raw`(\d{1,3}):(\d{1,2}):(\d{1,2})[,.:](\d{1,3})`
const TIMING = new RegExp(String.raw`^[ \t]{0,9}${TIME}[ \t]{0,9}-->[ \t]{0,9}${TIME}`)
const NUMBER = /^[ \t]{0,9}\d{1,9}[ \t]{0,9}$/
// Neither reads over the start of another one, or much of the same kind would take for ever.
const BREAK = /<br[^<>]*>/gi
const OVERRIDE = /\{\\[^{}]*\}/g

/**
 * The cues of a SubRip file, in their order. The numbers in front of them are passed over, so what is numbered wrongly or not at
 * all is read as well.
 */
export function* readSrt(text: string): Generator<Cue, void, void> {
  let timing: Omit<Cue, 'text'> | undefined
  let lines: string[] = []
  for (const line of linesOf(text)) {
    const found = TIMING.exec(line)
    if (found === null) {
      if (timing !== undefined) lines.push(line)
      continue
    }
    if (timing !== undefined) yield { ...timing, text: textOf(lines, 'another follows') }
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

/** @param next a number as the last line belongs to the cue that follows */
function textOf(lines: string[], next?: 'another follows'): string {
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
