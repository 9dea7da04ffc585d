import { Type, type Static } from 'typebox'
import { Failure } from '../failure.ts'
import { RenameOutcome } from '../files/renames/renames.ts'
import type { UserId } from '../ids.ts'
import { LeftOutEntry } from '../files/left-out.ts'

export const JOB_KINDS = ['copy', 'move', 'delete', 'checksum', 'rename', 'measure', 'extract', 'compress'] as const
const JOB_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

/** Progress of a job. Totals are absent if they were not counted beforehand. */
export const Progress = Type.Object({
  bytes: Type.Integer(),
  files: Type.Integer(),
  totalBytes: Type.Optional(Type.Integer()),
  totalFiles: Type.Optional(Type.Integer()),
})
export type Progress = Static<typeof Progress>

/** Work that outlives its request. Times are RFC 3339. */
export const Job = Type.Object({
  id: Type.String(),
  kind: Type.Enum(JOB_KINDS),
  state: Type.Enum(JOB_STATES),
  userID: Type.Unsafe<UserId>(Type.Integer()),
  path: Type.String(),
  destination: Type.Optional(Type.String()),
  progress: Progress,
  /** Entries that were left out, or have another name in the result. At most 100. */
  leftOut: Type.Array(LeftOutEntry),
  checksums: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** What a batch rename has done. Only in the job itself, not in lists and events. */
  renames: Type.Optional(RenameOutcome),
  /** Paths of what an extraction or a compression has made; a folder includes its content. */
  made: Type.Optional(Type.Array(Type.String())),
  error: Type.Optional(Failure),
  created: Type.String(),
  ended: Type.Optional(Type.String()),
})
export type Job = Static<typeof Job>

/** Milliseconds. Nobody watches a job that takes longer until it ends. */
export const LONG_JOB = 3000
const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** Whether its user should be told of the end of a job: it has failed, or was not waited for. */
export function isWorthTelling({ kind, state, created, ended = created }: Job): boolean {
  if (kind === 'measure') return false
  return state === 'failed' || (state === 'done' && Date.parse(ended) - Date.parse(created) >= LONG_JOB)
}

/** Whether a job is listed no more: an hour after its end, or a day if its user should be told of it. */
export function isForgotten(job: Job, now: number): boolean {
  const { ended } = job
  return ended !== undefined && Date.parse(ended) < now - (isWorthTelling(job) ? DAY : HOUR)
}

export function isOver({ state }: Pick<Job, 'state'>): boolean {
  return state !== 'waiting' && state !== 'running'
}

/** The job without its rename outcome, which may have thousands of names: for lists and events. */
export function inBrief(job: Job): Job {
  const { renames, ...brief } = job
  return renames === undefined ? job : brief
}
