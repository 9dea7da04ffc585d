import { basename } from 'node:path'
import type { PlainError } from './plain-error.ts'

/** The `workerData` of a worker. */
export interface WorkerStart {
  readonly niceness: number
  /** Two 32-bit numbers: how many steps have started, and 1 during a step, else 0. A worker that stays in one step is stuck. */
  readonly pulse: SharedArrayBuffer
}

/** Messages to a worker. `id` identifies a job. */
export type ToWorker =
  | { readonly id: number; readonly type: 'start'; readonly kind: string; readonly input: unknown }
  | { readonly id: number; readonly type: 'more'; readonly spare?: ArrayBuffer }
  | { readonly id: number; readonly type: 'abort' }

/** Messages from a worker. After `result` or `error`, it no longer uses the job's input. */
export type FromWorker =
  | { readonly id: number; readonly type: 'part'; readonly part: unknown }
  | { readonly id: number; readonly type: 'result'; readonly result: unknown }
  | { readonly id: number; readonly type: 'error'; readonly error: PlainError }

/** A job pauses when its consumer has not taken this many parts, or this many bytes; a single part may be larger. */
export const PARTS_AHEAD = 8
export const BYTES_AHEAD = 1024 * 1024

/**
 * URL of a worker's file. In a bundle, it lies beside what starts it.
 *
 * @param file without its suffix, relative to the importer: "./storage-worker"
 * @param importer `import.meta.url` of the calling module
 */
export function workerUrl(file: string, importer: string): URL {
  const isBundled = importer.endsWith('.cjs')
  return new URL(isBundled ? `${basename(file)}.cjs` : `${file}.ts`, importer)
}
