import { ENCODINGS, isLineEnd, type TextFormat } from './text-codec.ts'

export interface Draft extends TextFormat {
  readonly text: string
  /** Version of the file that it was made from. */
  readonly etag: string | null
  /** Milliseconds since 1970. */
  readonly keptAt: number
}

const LONGEST_KEPT = 30 * 24 * 60 * 60 * 1000

/** A draft as it was kept; undefined for anything else, such as one of another version of the page. */
export function readDraft(value: unknown): Draft | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { text, etag, keptAt, encoding, lineEnd } = value as Partial<Record<keyof Draft, unknown>>
  const knownEncoding = ENCODINGS.find((known) => known === encoding)
  if (typeof text !== 'string' || typeof keptAt !== 'number' || knownEncoding === undefined) return undefined
  if (!isLineEnd(lineEnd)) return undefined
  if (etag !== null && typeof etag !== 'string') return undefined
  return { text, etag, keptAt, encoding: knownEncoding, lineEnd }
}

/** Whether nobody is going to come back for it. */
export function isOutdated(draft: Draft | undefined, now: number): boolean {
  return draft === undefined || now - draft.keptAt > LONGEST_KEPT
}
