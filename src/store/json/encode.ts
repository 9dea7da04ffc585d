import { setImmediate } from 'node:timers/promises'

/** The bytes of a document, in pieces. */
export interface Encoded {
  readonly pieces: readonly Uint8Array[]
  /** The encoded lists, by field name. */
  readonly lists: ReadonlyMap<string, EncodedList>
}

interface EncodedList {
  readonly list: readonly unknown[]
  readonly slices: readonly Slice[]
}

interface Slice {
  readonly records: readonly unknown[]
  readonly bytes: Uint8Array
}

/** Encoding this many records takes a few milliseconds. */
const SLICE = 500

/** For bytes that were read from the file. */
export const encodedBefore = (bytes: Uint8Array): Encoded => ({ pieces: [bytes], lists: new Map() })

/**
 * Encodes a document as indented JSON. Encodes long lists in slices, so that requests are served in between.
 *
 * @param before the result for another state of the document: slices with the same records keep their bytes
 */
export async function encodeDocument(document: object, before?: Encoded): Promise<Encoded> {
  const pieces: Uint8Array[] = []
  const lists = new Map<string, EncodedList>()
  let start = '{\n'
  for (const [key, field] of Object.entries(document) as [string, unknown][]) {
    if (field === undefined) continue
    if (!Array.isArray(field) || field.length === 0) {
      pieces.push(Buffer.from(start + linesOf({ [key]: field })))
      start = ',\n'
      continue
    }
    const known = before?.lists.get(key)
    const encoded = known?.list === field ? known : await encodeList(field, known?.slices)
    lists.set(key, encoded)
    pieces.push(Buffer.from(`${start}  ${JSON.stringify(key)}: [\n`), ...encoded.slices.map(({ bytes }) => bytes))
    start = '\n  ],\n'
  }
  pieces.push(Buffer.from(`${start.replace(',\n', '\n')}}\n`))
  return { pieces, lists }
}

async function encodeList(list: readonly unknown[], before: readonly Slice[] = []): Promise<EncodedList> {
  const slices: Slice[] = []
  for (let first = 0; first < list.length; first += SLICE) {
    const records = list.slice(first, first + SLICE)
    const known = before[slices.length]
    if (known !== undefined && areSame(known.records, records)) {
      slices.push(known)
      continue
    }
    if (first > 0) await setImmediate()
    const comma = first === 0 ? '' : ',\n'
    slices.push({ records, bytes: Buffer.from(comma + linesOf([records]).slice('  [\n'.length, -'\n  ]'.length)) })
  }
  return { list, slices }
}

/** The indented lines inside an object or array. */
function linesOf(value: object): string {
  return JSON.stringify(value, null, 2).slice('{\n'.length, -'\n}'.length)
}

function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((record, at) => record === other[at])
}
