import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { FileOrigin } from '../plan/upload-entry.ts'
import { STILL, type SpeedMeter } from '../../../lib/speed.ts'

/** `missing`: the page was reloaded, and the user has to pick the file again. */
export type UploadState = 'waiting' | 'active' | 'paused' | 'missing' | 'failed' | 'done'

/** What to upload and where: enough to resume later. */
export interface UploadTask {
  readonly kind: 'file' | 'folder'
  /** The folder that the user uploads into. */
  readonly target: VirtualPath
  /** Path below the picked folder; differs from the target path after "keep both". */
  readonly source: string
  readonly path: VirtualPath
  /** The picked folder that contains it; null for a file picked by itself. */
  readonly group: UploadGroup | null
  readonly override: boolean
  readonly size: number
  /** Of the file on the user's disk, in milliseconds since 1970. Identifies the file together with its size. */
  readonly modified: number
  /** The server has part of it. */
  readonly begun: boolean
  /** A handle with which the browser can read the file again. */
  readonly origin: FileOrigin | null
}

interface UploadGroup {
  readonly id: string
  readonly name: string
}

export interface UploadItem extends UploadTask {
  readonly id: number
  readonly name: string
  /** Null for a folder, and for a file that is missing. */
  readonly file: File | null
  readonly state: UploadState
  /** For a missing upload: it was paused when the page was left. */
  readonly wasPaused: boolean
  readonly sent: number
  readonly error: UploadProblem | null
  readonly speed: SpeedMeter
}

/** Why an upload failed: status (0 without a response) and message of the server. */
export interface UploadProblem {
  readonly status: number
  readonly message: string
  /** The file on the user's disk cannot be read, or has changed. */
  readonly changed?: boolean
  /** It does not fit into the quota of the user. */
  readonly isOverQuota?: boolean
  /** The number of files is the limit, not their size. */
  readonly isTooMany?: boolean
}

export const FRESH = { state: 'waiting', wasPaused: false, sent: 0, error: null, speed: STILL } as const

/** The bytes exclude failed items, so that the bar cannot claim 100 % for them. */
export type UploadTotals = Readonly<Record<UploadState | 'sentBytes' | 'totalBytes', number>>

export const NO_TOTALS: UploadTotals = {
  waiting: 0,
  active: 0,
  paused: 0,
  missing: 0,
  failed: 0,
  done: 0,
  sentBytes: 0,
  totalBytes: 0,
}

/** Adds an item to the totals, or subtracts it. */
export function adjustTotals(totals: UploadTotals, item: UploadItem | undefined, by: 1 | -1): UploadTotals {
  if (item === undefined) return totals
  const counted = item.state === 'failed' ? 0 : by
  return {
    ...totals,
    [item.state]: totals[item.state] + by,
    sentBytes: totals.sentBytes + item.sent * counted,
    totalBytes: totals.totalBytes + item.size * counted,
  }
}

/** The totals of items. Without a copy for each of them, since there may be ten thousand. */
export function totalsOf(items: readonly UploadItem[]): UploadTotals {
  const totals = { ...NO_TOTALS }
  for (const { state, sent, size } of items) {
    totals[state] += 1
    if (state === 'failed') continue
    totals.sentBytes += sent
    totals.totalBytes += size
  }
  return totals
}

/** Uploads that have neither finished nor failed. */
export function openCount({ active, waiting, paused, missing }: UploadTotals): number {
  return active + waiting + paused + missing
}
