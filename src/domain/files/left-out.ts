import { type Static, Type } from 'typebox'
import { truncate } from '../text/truncate.ts'

/** Why an operation has left an entry out, or named it otherwise. */
const LEFT_OUT_REASONS = [
  'changed',
  'inUse',
  'copyGone',
  'attributes',
  'encrypted',
  'damaged',
  'unsupported',
  'link',
  'special',
  'sparse',
  'outside',
  'name',
  'taken',
  'older',
  'unreadable',
  'nested',
  'shortened',
  'renamed',
] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

export const LeftOutEntry = Type.Object({
  /** Its path, or the name that an archive gives it. */
  name: Type.String(),
  reason: Type.Enum([...LEFT_OUT_REASONS]),
  /** Only if it is there after all, under this name. */
  as: Type.Optional(Type.String()),
})
export type LeftOutEntry = Static<typeof LeftOutEntry>

/** Most entries that are listed. */
const MAX_LEFT_OUT = 100

/** Characters that are kept of a long name. */
const MAX_SHOWN = 200

/** Collects the first entries that an operation leaves out. Those that only have another name give way to them. */
export class LeftOutList {
  readonly entries: LeftOutEntry[] = []

  readonly add = (name: string, reason: LeftOutReason, as?: string): void => {
    if (this.entries.length === MAX_LEFT_OUT) {
      const last = this.entries.findLastIndex((entry) => entry.as !== undefined)
      if (as !== undefined || last < 0) return
      this.entries.splice(last, 1)
    }
    this.entries.push({ name: shown(name), reason, ...(as !== undefined && { as: shown(as) }) })
  }
}

/** Copied, since a slice of a string keeps the whole string in memory. */
function shown(name: string): string {
  return name.length > MAX_SHOWN ? [...truncate(name, MAX_SHOWN)].join('') : name
}
