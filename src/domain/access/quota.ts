import { type Static, Type } from 'typebox'
import type { User } from '../accounts/user.ts'
import { fail } from '../errors.ts'
import { roughSize } from '../text/units.ts'

/** An amount of stored files. A folder counts like a file without bytes, and so does a link. */
export const Amount = Type.Object({
  bytes: Type.Integer(),
  files: Type.Integer({ description: 'Files and folders' }),
})
export type Amount = Static<typeof Amount>

export const NOTHING: Amount = { bytes: 0, files: 0 }

/** How much of a quota is used. A limit of 0 means no limit. */
export const QuotaUse = Type.Object({ used: Amount, limit: Amount })
export type QuotaUse = Static<typeof QuotaUse>

/** The quota of a user, for administrators. */
export const QuotaView = Type.Object({
  userId: Type.Integer(),
  username: Type.String(),
  scope: Type.String({ description: 'The folder whose content counts' }),
  limit: Amount,
  used: Type.Union([Amount, Type.Null()], { description: 'Null if it has not been counted lately' }),
  by: Type.Optional(
    Type.Array(Type.String(), { description: 'The groups that give the limit, for one without a quota of their own' }),
  ),
  counted: Type.Union([Type.String(), Type.Null()], { description: 'When the files were last counted. RFC 3339' }),
})
export type QuotaView = Static<typeof QuotaView>

/** What a limited folder holds, for the next run of the only daemon of a store. */
export const UsageRecord = Type.Object({
  /** A hash of the folder. */
  id: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** The served folder in which it was counted. */
  root: Type.String(),
  scope: Type.String(),
  /** At most this much is used. */
  used: Amount,
  /** When the files were counted, in milliseconds since 1970, and how many milliseconds it took. */
  at: Type.Integer(),
  took: Type.Integer(),
  /** What is counted. Versions that did not count folders have left records without it, which say too little. */
  kinds: Type.Optional(Type.Literal('files and folders')),
  /** Saved when the daemon ended: nothing was written since. */
  isFinal: Type.Boolean(),
})
export type UsageRecord = Static<typeof UsageRecord>

type Limited = Pick<User, 'quota' | 'quotaFiles'>

export function hasQuota({ quota, quotaFiles }: Limited): boolean {
  return quota > 0 || quotaFiles > 0
}

export function limitOf({ quota, quotaFiles }: Limited): Amount {
  return { bytes: quota, files: quotaFiles }
}

/** The larger share of its limits that is used; 1 is full. */
export function fullnessOf({ used, limit }: QuotaUse): number {
  const share = (kind: keyof Amount) => (limit[kind] > 0 ? used[kind] / limit[kind] : 0)
  return Math.max(share('bytes'), share('files'))
}

export function sum(a: Amount, b: Amount): Amount {
  return { bytes: a.bytes + b.bytes, files: a.files + b.files }
}

export function difference(a: Amount, b: Amount): Amount {
  return { bytes: a.bytes - b.bytes, files: a.files - b.files }
}

/** What files add that replace others: they may be smaller, but one of them never makes room for another. */
export function added(amount: Amount, replaced: Amount): Amount {
  return larger(difference(amount, replaced), NOTHING)
}

/** The larger number of bytes, and the larger number of files. */
export function larger(a: Amount, b: Amount): Amount {
  return { bytes: Math.max(a.bytes, b.bytes), files: Math.max(a.files, b.files) }
}

/** Why an amount does not fit into a quota. */
export interface Excess {
  /** The beginning of a sentence. */
  readonly text: string
  /** "files" if their number is the limit, not their size. */
  readonly reason?: 'files'
}

/** Undefined if the amount fits into the quota. @param whose how the quota is called */
export function excess({ used, limit }: QuotaUse, amount: Amount, whose = 'your quota'): Excess | undefined {
  const remaining = difference(limit, used)
  if (limit.bytes > 0 && amount.bytes > Math.max(0, remaining.bytes)) {
    const room = `${roughSize(Math.max(0, remaining.bytes))} of ${roughSize(limit.bytes)} are left`
    return { text: `${whose} has no room for ${roughSize(amount.bytes)}: ${room}` }
  }
  if (limit.files > 0 && amount.files > Math.max(0, remaining.files)) {
    const room = `${Math.max(0, remaining.files)} of ${limit.files} are left`
    return { text: `${whose} has no room for ${filesAndFolders(amount.files)}: ${room}`, reason: 'files' }
  }
  return undefined
}

export function filesAndFolders(count: number): string {
  return count === 1 ? '1 file or folder' : `${count} files and folders`
}

/** @throws QUOTA_EXCEEDED */
export function refuse({ text, ...details }: Excess): never {
  return fail('QUOTA_EXCEEDED', `${text}; delete files permanently, or ask an administrator for more`, details)
}
