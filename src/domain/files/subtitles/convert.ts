import { readAss } from './ass.ts'
import { vttTime, type Cue, escapeVtt, linesOf, millisecondsOf } from './cue.ts'

const CONVERTED = /\.(srt|ass|ssa)$/i

/** Converts a text to WebVTT in parts, some of which may be empty. Undefined for files that are sent unchanged. */
export function subtitleConverter(name: string): ((text: string) => Generator<string, void, void>) | undefined {
  const [, extension] = CONVERTED.exec(name) ?? []
  if (extension === undefined) return undefined
  return extension.toLowerCase() === 'srt' ? fromSrt : fromAss
}

function* fromSrt(text: string): Generator<string, void, void> {
  let number = 0
  for (const cue of readSrt(text)) {
    number += 1
    yield `${number === 1 ? 'WEBVTT\n\n' : ''}${write(cue, number)}\n`
  }
}

/** No blank line at the end, as old clients expect. */
function* fromAss(text: string): Generator<string, void, void> {
  const reading = readAss(text)
  let read = reading.next()
  for (; read.done !== true; read = reading.next()) yield ''
  let number = 0
  for (const cue of read.value) {
    number += 1
    yield `${number === 1 ? 'WEBVTT\n\n' : '\n'}${write(cue, number)}`
  }
}

function write({ start, end, text }: Cue, number: number): string {
  return `${number}\n${vttTime(start)} --> ${vttTime(end)}\n${text}\n`
}

const TIME = String.raw`(\d{1,3}):(\d{1,2}):(\d{1,2})[,.:](\d{1,3})`
const TIMING = new RegExp(String.raw`^[ \t]{0,9}${TIME}[ \t]{0,9}-->[ \t]{0,9}${TIME}`)
const NUMBER = /^[ \t]{0,9}\d{1,9}[ \t]{0,9}$/
// Excluding the opening character keeps both linear: a file full of "<br" or "{\" would take quadratic time otherwise.
const BREAK = /<br[^<>]*>/gi
const OVERRIDE = /\{\\[^{}]*\}/g

/** The cues of a SubRip file, in file order. Cue numbers are ignored, since many files number them wrongly or not at all. */
function* readSrt(text: string): Generator<Cue, void, void> {
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
