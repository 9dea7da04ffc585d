import { type Static, Type } from 'typebox'
import { fullnessOf, QuotaUse } from '../access/quota.ts'
import type { User } from '../accounts/user.ts'
import { isExpired, isUnseen, isUsedUp, receivedOf, type Share, ShareView, termsOf } from '../shares/share.ts'
import type { Root } from '../server/root.ts'
import { SharedWithMe } from '../shares/grant.ts'
import { namesFolder } from '../files/virtual-path.ts'
import { isWorthTelling, Job } from './job.ts'

const SHOWN = {
  isNew: Type.Boolean({ description: 'The user has not marked it as read' }),
  at: Type.Integer({ description: 'Milliseconds since 1970; 0 for a state that lasts' }),
}

const { hash, path, userID, expire } = ShareView.properties
const OF_SHARE = { ...SHOWN, hash, path, userID, isDir: Type.Boolean() }

const { id, name, path: among, owner, isDir } = SharedWithMe.properties
const OF_GRANT = { id, name, path: among, owner, isDir }

/** Something that its user may have missed. */
export const Notice = Type.Union([
  Type.Object({
    kind: Type.Literal('arrivals'),
    ...OF_SHARE,
    files: Type.Integer({ description: 'Files that are new; if none is, those of the last week' }),
    name: Type.String({ description: 'Of the latest one, as its visitor calls it' }),
    from: Type.String({ description: 'Who has sent it; "" if unknown' }),
  }),
  Type.Object({ kind: Type.Literal('expiring'), ...OF_SHARE, expire }),
  Type.Object({ kind: Type.Literal('usedUp'), ...OF_SHARE }),
  Type.Object({ kind: Type.Literal('shared'), ...SHOWN, ...OF_GRANT }),
  Type.Object({ kind: Type.Literal('job'), ...SHOWN, job: Job }),
  Type.Object({ kind: Type.Literal('quota'), ...SHOWN, quota: QuotaUse }),
  Type.Object({ kind: Type.Literal('rootAway'), ...SHOWN, name: Type.String({ description: 'Of the root' }) }),
])
export type Notice = Static<typeof Notice>

/** What a user has marked as read. */
export type NoticesSeen = NonNullable<User['noticesSeen']>

export const NOTHING_SEEN: NoticesSeen = { until: 0, fullness: 0 }

const DAY = 24 * 60 * 60 * 1000
/** Milliseconds for which arrivals are listed that the owner has seen. */
const RECENT = 7 * DAY
/** Milliseconds before the end of a link. */
const LAST_DAYS = 3 * DAY

/** What there is to tell about a link. @param now milliseconds since 1970 */
export function noticesOfShare(share: Share, seen: NoticesSeen, now: number): Notice[] {
  return [arrivalsOf(share, seen, now), endOf(share, seen, now)].filter((notice) => notice !== undefined)
}

function arrivalsOf(share: Share, seen: NoticesSeen, now: number): Notice | undefined {
  const listed = (share.arrivals ?? []).flatMap(({ name, from, file }) => {
    if (file === undefined) return []
    const at = file.arrived * 1000
    const isNew = isUnseen(share, file.arrived, seen)
    return isNew || at > now - RECENT ? { name, from, at, isNew } : []
  })
  const last = listed.at(-1)
  if (last === undefined) return undefined
  const fresh = listed.filter(({ isNew }) => isNew).length
  return { kind: 'arrivals', ...ofShare(share), ...last, isNew: fresh > 0, files: fresh || listed.length }
}

function endOf(share: Share, { until }: NoticesSeen, now: number): Notice | undefined {
  const { created, downloads = 0, lastDownload = 0, arrivals = [] } = share
  const { files: receivedFiles, bytes: receivedBytes } = receivedOf(share)
  if (isExpired(share, now)) return undefined
  if (isUsedUp({ terms: termsOf(share), downloads, receivedFiles, receivedBytes })) {
    const at = 1000 * arrivals.reduce((latest, { file }) => Math.max(latest, file?.arrived ?? 0), lastDownload)
    return { kind: 'usedUp', ...ofShare(share), at, isNew: at > until }
  }
  // A link for an hour is not about to expire when it is made.
  const notice = Math.min(LAST_DAYS, ((share.expire - created) * 1000) / 4)
  const at = Math.floor(share.expire * 1000 - notice)
  if (share.expire === 0 || now < at) return undefined
  return { kind: 'expiring', ...ofShare(share), expire: share.expire, at, isNew: at > until }
}

function ofShare({ hash, path, userID, target }: Share) {
  return { hash, path, userID, isDir: target?.isDir ?? namesFolder(path) }
}

/** @param now milliseconds since 1970 */
export function noticesOfGrant({ id, name, path, owner, isDir, created, isNew }: SharedWithMe, now: number): Notice[] {
  const at = created * 1000
  return isNew || at > now - RECENT ? [{ kind: 'shared', id, name, path, owner, isDir, at, isNew }] : []
}

export function noticesOfJob(job: Job, { until }: NoticesSeen): Notice[] {
  if (!isWorthTelling(job)) return []
  const at = Date.parse(job.ended ?? job.created)
  return [{ kind: 'job', job, at, isNew: at > until }]
}

export function noticesOfQuota(quota: QuotaUse, { fullness }: NoticesSeen): Notice[] {
  const now = fullnessStep(quota)
  return now === 0 ? [] : [{ kind: 'quota', quota, at: 0, isNew: now > fullness }]
}

export interface AwayRoot {
  readonly root: Root
  /** When this daemon found it out, in milliseconds since 1970. */
  readonly since: number
}

export function noticesOfRoot({ root, since }: AwayRoot, { until }: NoticesSeen): Notice[] {
  return root.warnAway ? [{ kind: 'rootAway', name: root.name, at: since, isNew: since > until }] : []
}

/** How full a quota is, in percent, in the steps that users are told of: 0, 90 or 100. */
export function fullnessStep(quota: QuotaUse): number {
  const share = fullnessOf(quota)
  return share >= 1 ? 100 : share >= 0.9 ? 90 : 0
}

/** New ones first; among them what needs the user, then the latest. */
export function inOrder(notices: readonly Notice[]): Notice[] {
  const isUrgent = (notice: Notice) =>
    notice.kind === 'quota' || notice.kind === 'rootAway' || (notice.kind === 'job' && notice.job.state === 'failed')
  return notices.toSorted(
    (a, b) => Number(b.isNew) - Number(a.isNew) || Number(isUrgent(b)) - Number(isUrgent(a)) || b.at - a.at,
  )
}
