import { readAss } from './ass.ts'
import { vttTime, type Cue } from './cue.ts'
import { readSrt } from './srt.ts'

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
