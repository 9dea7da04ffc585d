import { escapeVtt, linesOf, millisecondsOf, type Cue } from './cue.ts'

const TIME = /^\s{0,9}(\d{1,3}):(\d{1,2}):(\d{1,2})[.:](\d{1,3})\s{0,9}$/
const STANDARD = ['layer', 'start', 'end', 'style', 'name', 'marginl', 'marginr', 'marginv', 'effect', 'text']
const STYLES = ['i', 'b', 'u'] as const

/** Longer lines, such as embedded fonts, are skipped. */
const MAX_LINE_LENGTH = 64 * 1024

/**
 * The cues of a SubStation Alpha file, sorted by start time, with italics, bold and underline but without drawings. Yields after
 * each line, so that the caller can keep the event loop responsive.
 */
export function* readAss(text: string): Generator<undefined, Cue[], void> {
  const cues: Cue[] = []
  let fields: readonly string[] = STANDARD
  let isEvents = false
  for (const line of linesOf(text)) {
    yield
    if (line.length > MAX_LINE_LENGTH) continue
    if (line.startsWith('[')) isEvents = line.trim().toLowerCase() === '[events]'
    if (!isEvents) continue
    if (/^format:/i.test(line)) {
      const named = line
        .slice(7)
        .split(',')
        .map((field) => field.trim().toLowerCase())
      if (named.at(-1) === 'text') fields = named
    } else if (/^dialogue:/i.test(line)) {
      const cue = readDialogue(line.slice(9), fields)
      if (cue !== undefined) cues.push(cue)
    }
  }
  return cues.toSorted((one, other) => one.start - other.start)
}

/** The text is the last field and may contain commas. */
function readDialogue(line: string, fields: readonly string[]): Cue | undefined {
  const values = line.split(',')
  const valueOf = (field: string) => values[fields.indexOf(field)] ?? ''
  const [start, end] = [timeOf(valueOf('start')), timeOf(valueOf('end'))]
  const text = plainText(values.slice(fields.length - 1).join(','))
  return start === undefined || end === undefined || text === '' ? undefined : { start, end, text }
}

function timeOf(text: string): number | undefined {
  const [, hours, minutes, seconds, fraction] = TIME.exec(text) ?? []
  if (hours === undefined || minutes === undefined || seconds === undefined || fraction === undefined) return undefined
  return millisecondsOf(hours, minutes, seconds, fraction)
}

/** Overrides are in braces. All but the three styles are dropped, and so are vector drawings, which are written as text. */
function plainText(text: string): string {
  let result = ''
  let isDrawing = false
  let open: readonly string[] = []
  for (const part of text.split(/(\{[^{}]*\})/)) {
    if (!part.startsWith('{')) {
      if (!isDrawing) result += escapeText(part)
      continue
    }
    const overrides = overridesIn(part)
    const drawing = overrides.get('p')
    if (drawing !== undefined) isDrawing = drawing !== 0
    const styles = STYLES.filter((style) => isOn(overrides.get(style)) ?? open.includes(style))
    if (styles.join() === open.join()) continue
    result +=
      [...open]
        .reverse()
        .map((style) => `</${style}>`)
        .join('') + styles.map((style) => `<${style}>`).join('')
    open = styles
  }
  result += [...open]
    .reverse()
    .map((style) => `</${style}>`)
    .join('')
  return result.replaceAll(/\n{2,}/g, '\n').trim()
}

/** The values of the overrides for styles and drawings; the last of each counts. */
function overridesIn(part: string): ReadonlyMap<string, number> {
  return new Map([...part.matchAll(/\\([ibup])(\d+)/g)].map(([, name = '', value]) => [name, Number(value)]))
}

/** Bold may be a font weight. */
function isOn(value: number | undefined): boolean | undefined {
  return value === undefined ? undefined : value === 1 || value >= 600
}

function escapeText(text: string): string {
  return escapeVtt(text)
    .replaceAll('<', '&lt;')
    .replaceAll(/\\n/gi, '\n')
    .replaceAll(String.raw`\h`, ' ')
}
