import { isOver, type Job, LONG_JOB } from '../../../../src/domain/automation/job.ts'
import type { LeftOutEntry } from '../../../../src/domain/files/left-out.ts'
import { nameOf, parentOf, parseVirtualPath, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { MessageId, Translate } from '../../i18n/use-text.tsx'
import type { Batch, FailedItem } from '../actions/batches/activity.ts'

/** One row of the panel: a batch of this page, or a job of another window or from before a reload. */
export interface ActivityRow {
  readonly key: string
  readonly kind: Batch['kind'] | Job['kind']
  /** The name of the first item. */
  readonly name: string
  readonly count: number
  readonly done: number
  readonly folder: VirtualPath | undefined
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly bytes: number
  /** 0 when unknown. */
  readonly totalBytes: number
  /** From 0 to 1; undefined when unknown. */
  readonly share: number | undefined
  readonly failed: readonly FailedItem[]
  readonly leftOut: readonly LeftOutEntry[]
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly endedAt: number | undefined
  readonly batch: number | undefined
  /** Ids of the jobs that are still open. */
  readonly openJobs: readonly string[]
}

/** Milliseconds; a shorter batch gets no row, since its toast says everything. */
const MIN_DURATION = 1000

/** The rows to show, running ones first. */
export function activityRows(
  batches: readonly Batch[],
  jobs: readonly Job[],
  { now, since }: { readonly now: number; readonly since: number },
): ActivityRow[] {
  const owned = new Set(batches.flatMap((batch) => batch.jobs))
  const ofBatches = batches.filter((batch) => isWorthShowing(batch, now)).map((batch) => rowOfBatch(batch, jobs))
  const others = jobs.filter(
    (job) =>
      !owned.has(job.id) && isShownInPanel(job) && (!isOver(job) || Date.parse(job.ended ?? job.created) > since),
  )
  const rows = [...ofBatches, ...others.map(rowOfJob)]
  return [...rows.filter(isOpen), ...rows.filter((row) => !isOpen(row))]
}

/** Checksums are shown in the details dialog, and sizes of folders in the list. */
function isShownInPanel({ kind }: Job): boolean {
  return kind !== 'checksum' && kind !== 'measure'
}

export function isOpen({ state }: Pick<ActivityRow, 'state'>): boolean {
  return state === 'waiting' || state === 'running'
}

export function isLong({ startedAt, endedAt }: Pick<ActivityRow, 'startedAt' | 'endedAt'>, now: number): boolean {
  return (endedAt ?? now) - startedAt >= LONG_JOB
}

/** Checksum jobs, for notifications only: the details dialog shows their progress. */
export function checksumRows(jobs: readonly Job[]): ActivityRow[] {
  return jobs.filter(({ kind }) => kind === 'checksum').map(rowOfJob)
}

function isWorthShowing(batch: Batch, now: number): boolean {
  if (batch.isReported === true) return false
  return batch.failed.length > 0 || batch.jobs.length > 0 || (batch.endedAt ?? now) - batch.startedAt >= MIN_DURATION
}

function rowOfBatch(batch: Batch, jobs: readonly Job[]): ActivityRow {
  const own = jobs.filter(({ id }) => batch.jobs.includes(id))
  const bytes = sum(own, ({ progress }) => progress.bytes)
  const totalBytes = sum(own, ({ progress }) => progress.totalBytes ?? 0)
  const ended = batch.done + batch.failed.length
  const ofItems = batch.count === 0 ? 0 : ended / batch.count
  return {
    key: `batch ${batch.id}`,
    kind: batch.kind,
    name: batch.name,
    count: batch.count,
    done: batch.done,
    folder: batch.folder,
    state: batch.state === 'done' && batch.done === 0 && batch.failed.length > 0 ? 'failed' : batch.state,
    bytes,
    totalBytes,
    share: totalBytes > 0 ? bytes / totalBytes : batch.count > 1 ? ofItems : undefined,
    failed: batch.failed,
    leftOut: own.flatMap(({ leftOut }) => leftOut),
    startedAt: batch.startedAt,
    endedAt: batch.endedAt,
    batch: batch.id,
    openJobs: own.filter((job) => !isOver(job)).map(({ id }) => id),
  }
}

export function rowOfJob(job: Job): ActivityRow {
  const { bytes, files, totalBytes = 0, totalFiles = 0 } = job.progress
  const path = parseVirtualPath(job.path)
  const share = totalBytes > 0 ? bytes / totalBytes : totalFiles > 0 ? files / totalFiles : undefined
  return {
    key: `job ${job.id}`,
    kind: job.kind,
    name: nameOf(job.kind === 'compress' ? parseVirtualPath(job.destination ?? job.path) : path),
    // A batch rename counts its entries.
    count: job.kind === 'rename' && totalFiles > 0 ? totalFiles : 1,
    done: job.kind === 'rename' ? files : job.state === 'done' ? 1 : 0,
    folder: folderOf(job, path),
    state: job.state,
    bytes,
    totalBytes,
    share,
    failed: job.state === 'failed' ? [{ path, problem: job.error ?? { code: 'INTERNAL', message: '' } }] : [],
    leftOut: job.leftOut,
    startedAt: Date.parse(job.created),
    endedAt: job.ended === undefined ? undefined : Date.parse(job.ended),
    batch: undefined,
    openJobs: isOver(job) ? [] : [job.id],
  }
}

function folderOf({ kind, destination }: Job, path: VirtualPath): VirtualPath | undefined {
  if (kind === 'checksum') return parentOf(path)
  if (kind === 'rename' || kind === 'compress') return path
  if (kind === 'extract') return parseVirtualPath(destination ?? path)
  return destination === undefined ? undefined : parentOf(parseVirtualPath(destination))
}

function sum(jobs: readonly Job[], of: (job: Job) => number): number {
  return jobs.reduce((total, job) => total + of(job), 0)
}

const DID: Readonly<Partial<Record<ActivityRow['kind'], MessageId>>> = {
  copy: 'actions.copied',
  move: 'actions.moved',
  trash: 'actions.trashed',
  delete: 'actions.deleted',
  restore: 'actions.restored',
  rename: 'actions.renamedMany',
  extract: 'actions.extracted',
  compress: 'actions.compressed',
}

/** "Copying: 214 items", "Moved 38 items to Archive". */
export function rowTitle(t: Translate, row: ActivityRow): string {
  const { kind, name, count, done, folder } = row
  if (kind === 'checksum' && !isOpen(row)) return `${t('details.checksums')}: ${name}`
  const did = isOpen(row) || done === 0 ? undefined : DID[kind]
  if (did === undefined) return t('jobs.doing', { kind, name, count })
  return t(did, { name, count: done, folder: (folder && nameOf(folder)) || t('files.root') })
}
