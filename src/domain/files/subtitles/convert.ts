import { readAss } from './ass.ts'
import { vttTime, type Cue } from './cue.ts'
import { readSrt } from './srt.ts'

/** What is known as subtitles, in whatever case, and without a dot too. */
const SUBTITLES = /(vtt|srt|ass|ssa)$/i
const CONVERTED = /\.(srt|ass|ssa)$/

/** Whether a name is that of subtitles which can be converted. */
export function isSubtitleName(name: string): boolean {
  return SUBTITLES.test(name)
}

/** How a file is turned into WebVTT, in parts some of which are empty; undefined where it is sent as it is. */
export function subtitleConverter(name: string): ((text: string) => Generator<string, void, void>) | undefined {
  const [, extension] = CONVERTED.exec(name) ?? []
  if (extension === undefined) return undefined
  return extension === 'srt' ? fromSrt : fromAss
}

function* fromSrt(text: string): Generator<string, void, void> {
  let number = 0
  for (const cue of readSrt(text)) {
    number += 1
    yield `${number === 1 ? 'WEBVTT\n\n' : ''}${write(cue, number)}\n`
  }
}

/** Without a blank line at the end, as old clients know it. */
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
