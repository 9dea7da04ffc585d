import { type Static, Type } from 'typebox'
import type { User } from '../accounts/user.ts'
import { fail } from '../errors.ts'
import { counted, roughSize } from '../text/units.ts'

/** What takes up room. Folders count nothing, and links count as files. */
export const Amount = Type.Object({ bytes: Type.Integer(), files: Type.Integer() })
export type Amount = Static<typeof Amount>

export const NOTHING: Amount = { bytes: 0, files: 0 }

/** How much of a quota is used. A limit of 0 is none. */
export const QuotaUse = Type.Object({ used: Amount, limit: Amount })
export type QuotaUse = Static<typeof QuotaUse>

/** The quota of a user, for administrators. */
export const QuotaView = Type.Object({
  userId: Type.Integer(),
  username: Type.String(),
  scope: Type.String({ description: 'The folder whose content counts' }),
  limit: Amount,
  used: Type.Union([Amount, Type.Null()], { description: 'Null if it has not been counted lately' }),
  counted: Type.Union([Type.String(), Type.Null()], { description: 'When the files were last counted. RFC 3339' }),
})
export type QuotaView = Static<typeof QuotaView>

type Limited = Pick<User, 'quota' | 'quotaFiles'>

export function hasQuota({ quota, quotaFiles }: Limited): boolean {
  return quota > 0 || quotaFiles > 0
}

export function limitOf({ quota, quotaFiles }: Limited): Amount {
  return { bytes: quota, files: quotaFiles }
}

export function sum(one: Amount, other: Amount): Amount {
  return { bytes: one.bytes + other.bytes, files: one.files + other.files }
}

export function difference(one: Amount, other: Amount): Amount {
  return { bytes: one.bytes - other.bytes, files: one.files - other.files }
}

/** At least as much as either. */
export function larger(one: Amount, other: Amount): Amount {
  return { bytes: Math.max(one.bytes, other.bytes), files: Math.max(one.files, other.files) }
}

/** Why something does not fit, as a sentence; undefined if it does. */
export function excess({ used, limit }: QuotaUse, wanted: Amount): string | undefined {
  const left = difference(limit, used)
  if (limit.bytes > 0 && wanted.bytes > Math.max(0, left.bytes)) {
    const room = `${roughSize(Math.max(0, left.bytes))} of ${roughSize(limit.bytes)} are left`
    return `your quota has no room for ${roughSize(wanted.bytes)}: ${room}`
  }
  if (limit.files > 0 && wanted.files > Math.max(0, left.files)) {
    const room = `${Math.max(0, left.files)} of ${limit.files} are left`
    return `your quota has no room for ${counted(wanted.files, 'file')}: ${room}`
  }
  return undefined
}

/** @throws QUOTA_EXCEEDED */
export function refuse(problem: string): never {
  return fail('QUOTA_EXCEEDED', `${problem}; delete something for good, or ask for more`)
}
