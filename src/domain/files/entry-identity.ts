import { type Static, Type } from 'typebox'

/** Identifies a file or folder, so that a replacement at the same path is noticed. */
export const EntryIdentity = Type.Object({
  /** Device and inode are decimal strings, since they can exceed 2^53. */
  device: Type.String({ maxLength: 20 }),
  inode: Type.String({ maxLength: 20 }),
  /** Creation time in nanoseconds since 1970; "" if the disk has none. It distinguishes files that reuse an inode number. */
  birth: Type.String({ maxLength: 24 }),
  /** Whether it is a folder. Absent in old records, and where it does not matter. */
  isDir: Type.Optional(Type.Boolean()),
})
export type EntryIdentity = Static<typeof EntryIdentity>

/**
 * True for two identities of the same file. The device number of a file system may change with each boot, so it counts only
 * if the creation times are unknown.
 */
export function isSameEntry(a: EntryIdentity, b: EntryIdentity): boolean {
  if (a.inode !== b.inode) return false
  if (a.birth === '' || b.birth === '') return a.device === b.device && a.birth === b.birth
  return a.birth === b.birth
}

/** What is known of an operation that was interrupted, to continue it. */
export interface EarlierRun {
  /** When it began, in milliseconds since 1970. */
  readonly since: number
  /** The complete result, as it was before it got its name. */
  readonly placed?: EntryIdentity | undefined
  /** It had begun to fill the target, entry by entry. */
  readonly merging?: true | undefined
  /** The staged folder from which it was filling the target. */
  readonly staged?: string | undefined
}
