import { type Static, Type } from 'typebox'
import { fail } from '../errors.ts'
import type { ShareHash, UserId } from '../ids.ts'
import type { VirtualPath } from '../files/virtual-path.ts'
import type { User } from '../accounts/user.ts'
import {
  Arrival,
  givesFiles,
  PLAIN_TERMS,
  type Received,
  receivesFiles,
  ShareTerms,
  ShareTermsChange,
  Slug,
} from './share-terms.ts'
import { EntryIdentity } from '../files/entry-identity.ts'

const SHOWN = {
  hash: Type.Unsafe<ShareHash>(Type.String({ minLength: 1, maxLength: 64 })),
  /** In the owner's scope. A trailing slash in the request is preserved. */
  path: Type.String({ maxLength: 4096 }),
  userID: Type.Unsafe<UserId>(Type.Integer({ minimum: 1 })),
  expire: Type.Integer({ minimum: 0, description: 'Unix seconds; 0 = permanent' }),
}

/** The stored record of a public link. It never leaves the services: replies are built field by field (GHSA-833g-cqhp-h72j). */
export const Share = Type.Object({
  ...SHOWN,
  /** argon2id, or bcrypt from an old installation. */
  passwordHash: Type.Optional(Type.String()),
  /** SHA-256, in hex, of a token issued by an old installation. It is removed together with the password it replaces. */
  tokenHash: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  /** The owner's scope at creation: the same path in another scope is a different file. */
  scope: Type.Unsafe<VirtualPath>(Type.String({ maxLength: 4096 })),
  /**
   * So that another file at the same path is not exposed. Absent if there was no file to bind to; such a share opens nothing until it
   * is bound.
   */
  target: Type.Optional(EntryIdentity),
  /** Unix seconds, like all times of a share. */
  created: Type.Integer({ default: 0, minimum: 0 }),
  openings: Type.Integer({ default: 0, minimum: 0 }),
  lastOpened: Type.Integer({ default: 0, minimum: 0 }),
  terms: Type.Optional(ShareTerms),
  /** Counted only if their number is limited. */
  downloads: Type.Optional(Type.Integer({ minimum: 0 })),
  /** When the last of them was counted. */
  lastDownload: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Counted downloads that a visitor may repeat: a digest of the visit and the file. */
  counted: Type.Optional(
    Type.Array(Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{32}$' }), until: Type.Integer({ minimum: 0 }) })),
  ),
  /** What visitors have sent or are sending. */
  received: Type.Optional(Type.Object({ files: Type.Integer({ minimum: 0 }), bytes: Type.Integer({ minimum: 0 }) })),
  arrivals: Type.Optional(Type.Array(Arrival)),
  /** When the last arrival that the owner has looked at was complete. */
  seen: Type.Optional(Type.Integer({ minimum: 0 })),
})
export type Share = Static<typeof Share>

/** The address of a link that has ended. */
export const ReservedSlug = Type.Object({
  slug: SHOWN.hash,
  /** Who had it. Ids are never reused, so after the account is deleted it is nobody's. */
  userID: SHOWN.userID,
  until: Type.Integer({ minimum: 0, description: 'Unix seconds' }),
})
export type ReservedSlug = Static<typeof ReservedSlug>

/** A share on the wire, as old clients know it. */
export const ShareView = Type.Object({ ...SHOWN, hasPassword: Type.Boolean() })
export type ShareView = Static<typeof ShareView>

/** Whether the path still holds the shared file, a different one, or none. */
const TARGET_STATES = ['bound', 'changed', 'missing'] as const
export type TargetState = (typeof TARGET_STATES)[number]

/** Everything about a share that its owner may see. */
export const ShareDetails = Type.Object({
  ...ShareView.properties,
  username: Type.String(),
  created: Type.Integer({ description: 'Unix seconds; 0 = unknown' }),
  openings: Type.Integer({ description: 'How often the link was opened' }),
  lastOpened: Type.Integer({ description: 'Unix seconds; 0 = never' }),
  isDir: Type.Boolean({ description: 'Whether a folder is shared' }),
  target: Type.Enum(TARGET_STATES, { description: 'A share answers 404 unless its target is bound' }),
  terms: ShareTerms,
  downloads: Type.Integer({ description: 'Counted only if their number is limited' }),
  receivedFiles: Type.Integer({ description: 'Files that visitors have sent or are sending' }),
  receivedBytes: Type.Integer(),
  lastArrived: Type.Integer({ description: 'When the last file of a visitor arrived, in Unix seconds; 0 = never' }),
  unseenFiles: Type.Integer({ description: 'Files that have arrived since the owner last looked' }),
})
export type ShareDetails = Static<typeof ShareDetails>

const DURATION = {
  expires: Type.Optional(Type.String({ description: 'Number from 0 to 2147483647; "0" and "" are permanent' })),
  unit: Type.Optional(Type.String({ description: 'seconds, minutes, hours or days; default hours' })),
}

export const ShareDuration = Type.Object(DURATION)
export type ShareDuration = Static<typeof ShareDuration>

/** Refuses what it does not know: a restriction that was dropped silently would make a full link. */
export const NewShare = Type.Object(
  {
    password: Type.Optional(Type.String()),
    ...DURATION,
    slug: Type.Optional(Slug),
    terms: Type.Optional(ShareTermsChange),
  },
  { additionalProperties: false },
)

/** Absent fields stay unchanged. */
export const ShareChange = Type.Object(
  {
    password: Type.Optional(Type.String({ description: '"" removes the password' })),
    ...DURATION,
    rebind: Type.Optional(Type.Boolean({ description: 'Confirm the current target' })),
    terms: Type.Optional(ShareTermsChange),
  },
  { additionalProperties: false },
)

/** The terms of a link; records from before there were terms, or with the default ones, have none. */
export function termsOf({ terms }: { readonly terms?: ShareTerms | undefined }): ShareTerms {
  return terms ?? PLAIN_TERMS
}

export function receivedOf({ received }: Pick<Share, 'received'>): Received {
  return received ?? { files: 0, bytes: 0 }
}

/** A share as its owner sees it: without hashes and tokens. */
export function shareViewOf({ hash, path, userID, expire, passwordHash }: Share): ShareView {
  return { hash, path, userID, expire, hasPassword: passwordHash !== undefined }
}

/**
 * Whether a file of a visitor is new to the owner of the link, who may have looked at those of this link, or marked everything as
 * read.
 *
 * @param arrived Unix seconds
 */
export function isUnseen({ seen = 0 }: Pick<Share, 'seen'>, arrived: number, marked: User['noticesSeen']): boolean {
  return arrived > seen && arrived * 1000 > (marked?.until ?? 0)
}

/** Whether visitors may take nothing more, or send nothing more, by a link that is for that. */
export function isUsedUp({
  terms,
  downloads,
  receivedFiles,
  receivedBytes,
}: Pick<ShareDetails, 'terms' | 'downloads' | 'receivedFiles' | 'receivedBytes'>): boolean {
  const { maxDownloads, maxFiles, maxBytes } = terms
  const isReached = (most: number, used: number) => most > 0 && used >= most
  return (
    (givesFiles(terms) && isReached(maxDownloads, downloads)) ||
    (receivesFiles(terms) && (isReached(maxFiles, receivedFiles) || isReached(maxBytes, receivedBytes)))
  )
}

const MAX_AMOUNT = 2_147_483_647
/** The end of the year 9999: RFC 3339 cannot express later times. */
const MAX_EXPIRY = 253_402_300_799

const SECONDS = new Map([
  ['seconds', 1],
  ['minutes', 60],
  ['hours', 3600],
  ['days', 86_400],
  // Old clients send an empty unit for hours.
  ['', 3600],
])

/**
 * The expiry of a new share in unix seconds; 0 = never.
 *
 * @param now milliseconds since 1970
 * @throws INVALID_INPUT for an unknown unit, or an amount that is not a whole number from 0 to 2147483647
 */
export function expiryOf({ expires = '', unit = 'hours' }: ShareDuration, now: number): number {
  if (expires === '') return 0
  const amount = /^\d{1,10}$/.test(expires) ? Number(expires) : Infinity
  if (amount > MAX_AMOUNT) {
    fail('INVALID_INPUT', `expires must be a whole number from 0 to ${MAX_AMOUNT}, or empty`, { field: 'expires' })
  }
  const unitSeconds = SECONDS.get(unit)
  if (unitSeconds === undefined)
    fail('INVALID_INPUT', 'unit must be seconds, minutes, hours or days', { field: 'unit' })
  return amount === 0 ? 0 : Math.min(MAX_EXPIRY, Math.floor(now / 1000) + amount * unitSeconds)
}

/** The expiry of a share that lasts at least this many milliseconds, in whole unix seconds; 0 = never. */
export function expiryAfter(milliseconds: number, now: number): number {
  return milliseconds === 0 ? 0 : Math.min(MAX_EXPIRY, Math.ceil((now + milliseconds) / 1000))
}

/** @param now milliseconds since 1970 */
export function isExpired({ expire }: Pick<Share, 'expire'>, now: number): boolean {
  return expire !== 0 && expire * 1000 <= now
}
