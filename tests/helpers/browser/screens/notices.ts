import type { Notice } from '../../../../src/domain/automation/notice.ts'
import type { ShareHash, UserId } from '../../../../src/domain/ids.ts'

/** Notices of all kinds. */
export function notices(): readonly Notice[] {
  const at = Date.now() - 60_000
  const ofShare = {
    at,
    isNew: true,
    hash: 'Yk7vT2sQb1xWmZ0c' as ShareHash,
    path: '/album',
    userID: 1 as UserId,
    isDir: true,
  }
  const time = new Date(at).toISOString()
  const job = {
    id: 'mZ0cYk7vT2sQb1xW',
    kind: 'copy',
    state: 'failed',
    userID: ofShare.userID,
    path: '/a folder with a name that is rather long',
    progress: { bytes: 0, files: 0 },
    error: { code: 'NO_SPACE', message: 'the disk is full' },
    created: time,
    ended: time,
  } as const
  const quota = { used: { bytes: 950, files: 10 }, limit: { bytes: 1000, files: 0 } }
  return [
    { kind: 'job', at, isNew: true, job: { ...job, leftOut: [] } },
    { kind: 'quota', at: 0, isNew: true, quota },
    { kind: 'rootAway', at, isNew: true, name: 'Photos' },
    { kind: 'arrivals', ...ofShare, files: 1, name: 'letter.txt', from: 'Bob' },
    { kind: 'expiring', ...ofShare, expire: Math.floor(at / 1000) + 7200 },
    { kind: 'usedUp', ...ofShare, isNew: false },
  ]
}
