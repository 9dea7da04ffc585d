import { type Static, Type } from 'typebox'
import { fail } from '../errors.ts'
import type { ShareHash, UserId } from '../ids.ts'
import type { VirtualPath } from '../files/virtual-path.ts'

/** Identifies the shared file, so that another one at the same path is not exposed. */
export const ShareTarget = Type.Object({
  /** Numbers as text, since they pass 2^53. */
  device: Type.String({ maxLength: 20 }),
  inode: Type.String({ maxLength: 20 }),
  /** Nanoseconds since 1970; "" where the disk keeps no time of birth. Numbers of inodes are used again, times are not. */
  birth: Type.String({ maxLength: 24 }),
})
export type ShareTarget = Static<typeof ShareTarget>

const SHOWN = {
  hash: Type.Unsafe<ShareHash>(Type.String({ minLength: 1, maxLength: 64 })),
  /** As the owner calls it; a slash at its end is kept as it was asked for. */
  path: Type.String({ maxLength: 4096 }),
  userID: Type.Unsafe<UserId>(Type.Integer({ minimum: 1 })),
  expire: Type.Integer({ minimum: 0, description: 'Unix seconds; 0 = permanent' }),
}

/** The stored record of a public link. It never leaves the services: replies are built field by field (GHSA-833g-cqhp-h72j). */
export const Share = Type.Object({
  ...SHOWN,
  /** argon2id, or bcrypt from an old installation. */
  passwordHash: Type.Optional(Type.String()),
  /** SHA-256, in hex, of the token that an old installation gave out. It goes with the password that it stands for. */
  tokenHash: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  /** Scope of the owner at that time: the same path in another scope is another thing. */
  scope: Type.Unsafe<VirtualPath>(Type.String({ maxLength: 4096 })),
  /** Absent when nothing was there to be bound to; such a share opens nothing until it is bound. */
  target: Type.Optional(ShareTarget),
  /** Unix seconds, as all times of a share. */
  created: Type.Integer({ default: 0, minimum: 0 }),
  openings: Type.Integer({ default: 0, minimum: 0 }),
  lastOpened: Type.Integer({ default: 0, minimum: 0 }),
})
export type Share = Static<typeof Share>

/** A share on the wire, as old clients know it: neither hash of the password nor token. */
export const ShareView = Type.Object({ ...SHOWN, hasPassword: Type.Boolean() })
export type ShareView = Static<typeof ShareView>

/** Whether a share leads to what it was made of: not when that is gone, or another thing took its place. */
const TARGET_STATES = ['bound', 'changed', 'missing'] as const
export type TargetState = (typeof TARGET_STATES)[number]

/** A share with all that its owner may know. */
export const ShareDetails = Type.Object({
  ...ShareView.properties,
  username: Type.String(),
  created: Type.Integer({ description: 'Unix seconds; 0 = not known' }),
  openings: Type.Integer({ description: 'How often the link was opened' }),
  lastOpened: Type.Integer({ description: 'Unix seconds; 0 = never' }),
  target: Type.Enum(TARGET_STATES, { description: 'A share answers 404 unless its target is bound' }),
})
export type ShareDetails = Static<typeof ShareDetails>

const DURATION = {
  expires: Type.Optional(Type.String({ description: 'Number from 0 to 2147483647; "0" and "" are permanent' })),
  unit: Type.Optional(Type.String({ description: 'seconds, minutes, hours or days; default hours' })),
}

export const ShareDuration = Type.Object(DURATION)
export type ShareDuration = Static<typeof ShareDuration>

/** What a request for a new share says. */
export const NewShare = Type.Object({ password: Type.Optional(Type.String()), ...DURATION })

/** Changes to a share; absent fields stay. */
export const ShareChange = Type.Object({
  password: Type.Optional(Type.String({ description: '"" removes the password' })),
  ...DURATION,
  rebind: Type.Optional(Type.Boolean({ description: 'Confirm the current target' })),
})

/** A share as its owner sees it: without hashes and tokens. */
export function shareViewOf({ hash, path, userID, expire, passwordHash }: Share): ShareView {
  return { hash, path, userID, expire, hasPassword: passwordHash !== undefined }
}

/**
 * Whether two looks saw the same thing. A file system may have another device number after each start of the machine, so
 * where the time of birth is known, that and the inode decide.
 */
export function isSameTarget(one: ShareTarget, other: ShareTarget): boolean {
  if (one.inode !== other.inode) return false
  if (one.birth === '' || other.birth === '') return one.device === other.device && one.birth === other.birth
  return one.birth === other.birth
}

const MOST = 2_147_483_647
/** The end of the year 9999: later times cannot be written as a date. */
const LATEST = 253_402_300_799

const SECONDS = new Map([
  ['seconds', 1],
  ['minutes', 60],
  ['hours', 3600],
  ['days', 86_400],
  // As old clients know it.
  ['', 3600],
])

/**
 * When a share ends that lasts this long, in unix seconds; 0 = never.
 *
 * @param now milliseconds since 1970
 * @throws INVALID_INPUT for what is no whole number from 0 to 2147483647, and for an unknown unit
 */
export function expiryOf({ expires = '', unit = 'hours' }: ShareDuration, now: number): number {
  if (expires === '') return 0
  const amount = /^\d{1,10}$/.test(expires) ? Number(expires) : Infinity
  if (amount > MOST) {
    fail('INVALID_INPUT', `expires must be a whole number from 0 to ${MOST}, or empty`, { field: 'expires' })
  }
  const unitSeconds = SECONDS.get(unit)
  if (unitSeconds === undefined)
    fail('INVALID_INPUT', 'unit must be seconds, minutes, hours or days', { field: 'unit' })
  return amount === 0 ? 0 : Math.min(LATEST, Math.floor(now / 1000) + amount * unitSeconds)
}

/** The end of a share that lasts for so many milliseconds and no less, in whole unix seconds; 0 = never. */
export function expiryAfter(milliseconds: number, now: number): number {
  return milliseconds === 0 ? 0 : Math.min(LATEST, Math.ceil((now + milliseconds) / 1000))
}

/** @param now milliseconds since 1970 */
export function isExpired({ expire }: Pick<Share, 'expire'>, now: number): boolean {
  return expire !== 0 && expire * 1000 <= now
}
