import { type Static, Type } from 'typebox'
import { truncate } from '../text/printable.ts'

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

/** Why an entry was left out, as the end of a sentence. The page has texts of its own. */
export const LEFT_OUT_TEXTS: Readonly<Record<LeftOutReason, string>> = {
  changed: 'changed meanwhile, or cannot be copied',
  inUse: 'something is being written into it; move it when that has ended',
  copyGone: 'its copy was removed or changed meanwhile',
  attributes: 'the disk does not take these attributes, or this time',
  encrypted: 'encrypted',
  damaged: 'damaged',
  unsupported: 'compressed in a way that cannot be read here',
  link: 'a link whose target is not taken along',
  special: 'a pipe, socket or device',
  sparse: 'a sparse file, which cannot be unpacked here',
  outside: 'its path leads out of the folder',
  name: 'no file can have this name here',
  taken: 'something else has this name',
  older: 'there is a later file of this name',
  unreadable: 'it may not be read',
  nested: 'nested too deeply, or one of too many links to folders',
  shortened: 'became shorter while it was read',
  renamed: 'this name was taken, or cannot be used',
}
