/** The supported line endings. */
export const LINE_ENDS = { LF: '\n', CRLF: '\r\n', CR: '\r' } as const
export type LineEnd = keyof typeof LINE_ENDS

/** "mixed": each line keeps its own, and new lines take the most frequent. */
export type LineEnds = LineEnd | 'mixed'

export function isLineEnds(value: unknown): value is LineEnds {
  return value === 'mixed' || (typeof value === 'string' && Object.hasOwn(LINE_ENDS, value))
}

const ENDS = /\r\n|\r|\n/g

/** A text as the editor has it, with "\n" after each line, and the line endings of the file. */
export function splitLineEnds(source: string): { readonly text: string; readonly lineEnd: LineEnds } {
  const counts = countEnds(source)
  const used = Object.values(counts).filter((count) => count > 0).length
  const text = counts.CRLF + counts.CR === 0 ? source : source.replaceAll(ENDS, '\n')
  return { text, lineEnd: used > 1 ? 'mixed' : mostFrequent(counts) }
}

/** The text of the file. @param source that of the file as it was, whose line endings are kept if they are mixed */
export function joinLineEnds(text: string, lineEnd: LineEnds, source: string): string {
  if (lineEnd === 'LF') return text
  return lineEnd === 'mixed' ? withEndsOf(source, text) : text.replaceAll('\n', LINE_ENDS[lineEnd])
}

function countEnds(source: string): Record<LineEnd, number> {
  const counts: Record<LineEnd, number> = { LF: 0, CRLF: 0, CR: 0 }
  for (const [end] of source.matchAll(ENDS)) counts[end === '\n' ? 'LF' : end === '\r' ? 'CR' : 'CRLF'] += 1
  return counts
}

function mostFrequent(counts: Record<LineEnd, number>): LineEnd {
  return (['LF', 'CRLF', 'CR'] as const).reduce((most, each) => (counts[each] > counts[most] ? each : most))
}

function withEndsOf(source: string, text: string): string {
  const ends = [...source.matchAll(ENDS)].map(([end]) => end)
  const usual = LINE_ENDS[mostFrequent(countEnds(source))]
  const lines = text.split('\n')
  const origins = originsOf(source.split(/\r\n|\r|\n/), lines)
  const last = lines.length - 1
  return lines.map((line, index) => (index === last ? line : line + (ends[origins[index] ?? -1] ?? usual))).join('')
}

/** A range of lines before and after the change. The ends are not included. */
interface Span {
  readonly before: readonly [start: number, end: number]
  readonly after: readonly [start: number, end: number]
}

/**
 * For each line of the new text, the line of the old one that it was, if any. Lines that occur once in both texts divide them into
 * spans.
 */
function originsOf(old: readonly string[], lines: readonly string[]): (number | undefined)[] {
  const origins = Array.from<number | undefined>({ length: lines.length })
  const open: Span[] = [{ before: [0, old.length], after: [0, lines.length] }]
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    let [start, end] = span.before
    let [from, to] = span.after
    while (start < end && from < to && old[start] === lines[from]) origins[from++] = start++
    while (start < end && from < to && old[end - 1] === lines[to - 1]) origins[--to] = --end
    const anchors = anchorsOf(old, lines, { before: [start, end], after: [from, to] })
    if (anchors.length === 0) {
      matchInOrder(old, lines, { before: [start, end], after: [from, to] }, origins)
      continue
    }
    for (const [was, is] of [...anchors, [end, to] as const]) {
      open.push({ before: [start, was], after: [from, is] })
      if (is < to) origins[is] = was
      start = was + 1
      from = is + 1
    }
  }
  return origins
}

/** How many added, removed or edited lines are passed over to find the next equal one. */
const LOOKAHEAD = 32

/** Lines that repeat themselves: equal ones in order; what stands between them was added, removed or edited. */
function matchInOrder(
  old: readonly string[],
  lines: readonly string[],
  { before: [start, end], after: [from, to] }: Span,
  origins: (number | undefined)[],
): void {
  const isEdited = end - start === to - from
  let [was, is] = [start, from]
  while (was < end && is < to) {
    if (old[was] !== lines[is] && !isEdited) {
      const [removed, added] = distanceToEqual(old, lines, { before: [was, end], after: [is, to] })
      if (removed !== added) {
        was += removed
        is += added
        continue
      }
    }
    origins[is++] = was++
  }
}

/** How many lines were removed and added before the next equal ones; as many of both were edited. */
function distanceToEqual(
  old: readonly string[],
  lines: readonly string[],
  { before: [was, end], after: [is, to] }: Span,
): readonly [number, number] {
  for (let distance = 1; distance <= LOOKAHEAD; distance++) {
    if (is + distance < to && lines[is + distance] === old[was]) return [0, distance]
    if (was + distance < end && old[was + distance] === lines[is]) return [distance, 0]
    if (is + distance < to && was + distance < end && old[was + distance] === lines[is + distance]) break
  }
  return [0, 0]
}

/** Lines that occur once on both sides, in the same order: the longest such chain. */
function anchorsOf(old: readonly string[], lines: readonly string[], span: Span): (readonly [number, number])[] {
  const was = onlyOnes(old, span.before)
  const pairs = [...onlyOnes(lines, span.after)].flatMap(([line, is]) => {
    const at = was.get(line)
    return at === undefined ? [] : [{ was: at, is }]
  })
  interface Link {
    readonly was: number
    readonly is: number
    readonly previous: Link | undefined
  }
  // The last links of the best chains, by length: found by halves, since they increase.
  const chains: Link[] = []
  for (const pair of pairs) {
    let [low, high] = [0, chains.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((chains[middle]?.was ?? 0) < pair.was) low = middle + 1
      else high = middle
    }
    chains[low] = { ...pair, previous: chains[low - 1] }
  }
  const anchors: (readonly [number, number])[] = []
  for (let link = chains.at(-1); link !== undefined; link = link.previous) anchors.push([link.was, link.is])
  return anchors.toReversed()
}

function onlyOnes(lines: readonly string[], [start, end]: readonly [number, number]): Map<string, number> {
  const found = new Map<string, number>()
  const repeated = new Set<string>()
  for (let at = start; at < end; at++) {
    const line = lines[at] ?? ''
    if (found.has(line)) repeated.add(line)
    else found.set(line, at)
  }
  for (const line of repeated) found.delete(line)
  return found
}
