import { describe, expect, it } from 'vitest'
import type { Job } from '../../../../src/domain/automation/job.ts'
import type { UserId } from '../../../../src/domain/ids.ts'
import { parseVirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { activityRows, checksumRows, isLong } from '../../../../ui/src/files/jobs/activity-rows.ts'
import { daysLeft } from '../../../../ui/src/files/trash/trash-list.tsx'
import type { Batch } from '../../../../ui/src/files/actions/batches/activity.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')
const AT = { now: NOW, since: NOW - 60_000 }

const job = (changes: Partial<Job>): Job => ({
  id: 'job-1',
  kind: 'copy',
  state: 'running',
  userID: 1 as UserId,
  path: '/films',
  destination: '/archive/films',
  progress: { bytes: 25, files: 1, totalBytes: 100, totalFiles: 4 },
  leftOut: [],
  created: '2026-01-01T11:59:30Z',
  ...changes,
})
const batch = (changes: Partial<Batch>): Batch => ({
  id: 1,
  kind: 'move',
  name: 'a.txt',
  count: 4,
  folder: parseVirtualPath('/to'),
  state: 'running',
  answered: 4,
  done: 1,
  failed: [],
  jobs: [],
  startedAt: NOW - 5000,
  endedAt: undefined,
  ...changes,
})

describe('the activity panel', () => {
  it('shows a job of another window with its progress and its folder', () => {
    expect(activityRows([], [job({})], AT)).toMatchObject([
      { kind: 'copy', name: 'films', folder: '/archive', state: 'running', share: 0.25, openJobs: ['job-1'] },
    ])
  })

  it('counts the entries of a batch rename, and shows them in their folder', () => {
    const renaming = job({ kind: 'rename', progress: { bytes: 0, files: 20, totalFiles: 500 } })
    expect(activityRows([], [renaming], AT)).toMatchObject([
      { kind: 'rename', folder: '/films', count: 500, done: 20, share: 0.04 },
    ])
  })

  it('shows a job of this page once, as part of its batch', () => {
    const rows = activityRows([batch({ jobs: ['job-1'] })], [job({})], AT)
    expect(rows).toMatchObject([{ batch: 1, count: 4, done: 1, bytes: 25, totalBytes: 100, share: 0.25 }])
  })

  it('shows nothing of a failed extraction that a toast has reported', () => {
    const failed = [
      { path: parseVirtualPath('/a.zip'), problem: { code: 'INVALID_INPUT', message: '', reason: 'damaged' } },
    ]
    const extracting = job({ kind: 'extract', state: 'failed', ended: '2026-01-01T11:59:59Z' })
    const reported = batch({ kind: 'extract', state: 'done', failed, jobs: ['job-1'], isReported: true })
    expect(activityRows([reported], [extracting], AT)).toEqual([])
  })

  it('counts items if there are no bytes', () => {
    const failed = [{ path: parseVirtualPath('/b'), problem: { code: 'FORBIDDEN', message: '' } }]
    expect(activityRows([batch({ failed })], [], AT)).toMatchObject([{ share: 0.5 }])
  })

  it('shows checksums by folder, if they took long', () => {
    const [sum] = checksumRows([job({}), job({ id: 'job-2', kind: 'checksum', path: '/films/a.mov' })])
    expect(sum).toMatchObject({ key: 'job job-2', name: 'a.mov', startedAt: NOW - 30_000 })
    const long = { startedAt: NOW - 3000, endedAt: undefined }
    expect([isLong(long, NOW), isLong(long, NOW - 1), isLong({ ...long, endedAt: NOW - 1 }, NOW)]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('hides jobs that ended at once, checksums, and those that ended before the page was opened', () => {
    const quick = batch({ state: 'done', startedAt: NOW - 100, endedAt: NOW })
    const old = job({ id: 'job-2', state: 'done', ended: '2026-01-01T10:00:00Z' })
    expect(activityRows([quick], [old, job({ kind: 'checksum' })], AT)).toEqual([])
  })

  it('keeps failed jobs, and lists running ones first', () => {
    const failed = [{ path: parseVirtualPath('/b'), problem: { code: 'CONFLICT', message: '' } }]
    const ended = batch({ state: 'done', done: 0, failed, count: 1, startedAt: NOW - 100, endedAt: NOW })
    expect(activityRows([ended], [job({})], AT).map(({ state }) => state)).toEqual(['running', 'failed'])
  })
})

describe('the days until an item leaves the trash', () => {
  it.each([
    ['2026-01-31T12:00:00Z', 30],
    ['2026-01-01T12:00:01Z', 1],
    ['2026-01-01T11:00:00Z', 0],
  ])('until %s are %i', (end, days) => {
    expect(daysLeft(new Date(end), new Date(NOW))).toBe(days)
  })
})
