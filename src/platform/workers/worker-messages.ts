import { basename } from 'node:path'
import { type ErrorCode, FilemgrError } from '../../domain/errors.ts'

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

/** Messages to a thread that does one task at a time. `task` is the number of the task. */
export type ToTask =
  | { readonly task: number; readonly type: 'task'; readonly input: unknown }
  | { readonly task: number; readonly type: 'answer'; readonly question: number; readonly answer: unknown }

export type FromTask =
  | { readonly task: number; readonly type: 'question'; readonly question: number; readonly asked: unknown }
  | { readonly task: number; readonly type: 'result'; readonly result: unknown }
  | { readonly task: number; readonly type: 'error'; readonly error: PlainError }

/** An error in a form that can be sent between threads, which lose its class. */
interface PlainError {
  readonly isOurs: boolean
  readonly code: string | undefined
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly stack: string | undefined
}

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

export function plain(error: unknown): PlainError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  const isOurs = error instanceof FilemgrError
  return { isOurs, code, message, details: isOurs ? error.details : {}, stack }
}

export function revive({ isOurs, code, message, details, stack }: PlainError): Error {
  if (isOurs) return new FilemgrError(code as ErrorCode, message, details)
  const error = Object.assign(new Error(message), { code })
  if (stack !== undefined) error.stack = stack
  return error
}

/** Whether a thread has ended because it reached the limit of its heap. */
export function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
