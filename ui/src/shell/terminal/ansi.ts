/** The eight terminal colours. Bright variants map to the same, whose contrast is high enough. */
const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
export type AnsiColour = (typeof COLOURS)[number]

export interface AnsiStyle {
  readonly colour?: AnsiColour | undefined
  readonly background?: AnsiColour | undefined
  readonly bold?: boolean | undefined
  readonly dim?: boolean | undefined
  readonly italic?: boolean | undefined
  readonly underline?: boolean | undefined
  readonly inverse?: boolean | undefined
}

export interface AnsiSpan {
  readonly text: string
  readonly style: AnsiStyle
}

export const PLAIN: AnsiStyle = {}

/* eslint-disable no-control-regex -- the expression is about control characters */
/** Colours (CSI … m), other escape sequences with their payload, a lone escape, and control characters. */
const SEQUENCE =
  /\u001b\[([0-9;:]*)m|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_].*?(?:\u0007|\u001b\\|$)|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f]/gu
/* eslint-enable no-control-regex */

/**
 * Reads the colours of one line of output. Drops cursor movements. If a line overwrites itself, as progress bars do, only
 * its last state is kept.
 *
 * @param style the style at the end of the previous line
 */
export function readAnsi(line: string, style: AnsiStyle = PLAIN): { spans: AnsiSpan[]; style: AnsiStyle } {
  const spans: AnsiSpan[] = []
  const push = (text: string) => {
    if (text !== '') spans.push({ text, style: now })
  }
  const shown = line.slice(line.trimEnd().lastIndexOf('\r') + 1)
  let now = style
  let end = 0
  for (const { 0: sequence, 1: codes, index } of shown.matchAll(SEQUENCE)) {
    push(shown.slice(end, index))
    if (codes !== undefined) now = applyCodes(now, codes)
    end = index + sequence.length
  }
  push(shown.slice(end))
  return { spans, style: now }
}

function applyCodes(style: AnsiStyle, codes: string): AnsiStyle {
  const numbers = codes.split(/[;:]/).map(Number)
  let next = style
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0
    if (code === 38 || code === 48) {
      const [colour, used] = extendedColour(numbers.slice(at + 1))
      next = { ...next, [code === 38 ? 'colour' : 'background']: colour }
      at += used
    } else next = applyCode(next, code)
  }
  return next
}

function applyCode(style: AnsiStyle, code: number): AnsiStyle {
  const switched = SWITCHES[code]
  if (code === 0) return PLAIN
  if (switched) return { ...style, ...switched }
  const [kind, colour] = [Math.floor(code / 10), COLOURS[code % 10]]
  if (colour === undefined) return style
  if (kind === 3 || kind === 9) return { ...style, colour }
  return kind === 4 || kind === 10 ? { ...style, background: colour } : style
}

const SWITCHES: Readonly<Record<number, AnsiStyle>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: undefined, dim: undefined },
  23: { italic: undefined },
  24: { underline: undefined },
  27: { inverse: undefined },
  39: { colour: undefined },
  49: { background: undefined },
}

/** Maps `5;n` (256 colours) or `2;r;g;b` to the nearest of the eight. @returns the colour and the count of numbers used */
function extendedColour([kind, first = 0, green = 0, blue = 0]: number[]): [AnsiColour, number] {
  if (kind === 2) return [nearest(first, green, blue), 4]
  if (first < 16) return [COLOURS[first % 8] ?? 'white', 2]
  if (first >= 232) return [first < 244 ? 'black' : 'white', 2]
  const cube = first - 16
  const level = (value: number) => value * 51
  return [nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)), 2]
}

function nearest(red: number, green: number, blue: number): AnsiColour {
  const most = Math.max(red, green, blue)
  const part = (value: number, bit: number) => (value > most * 0.6 ? bit : 0)
  if (most < 48) return 'black'
  return COLOURS[part(red, 1) + part(green, 2) + part(blue, 4)] ?? 'white'
}
