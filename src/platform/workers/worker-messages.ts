/** What a worker is started with. */
export interface WorkerStart {
  readonly niceness: number
  /** Two numbers: steps that were made, and 1 while one is under way. The same step for long means that it is stuck. */
  readonly pulse: SharedArrayBuffer
}

/** To a worker. `id` names one job. */
export type ToWorker =
  | { readonly id: number; readonly type: 'start'; readonly kind: string; readonly input: unknown }
  | { readonly id: number; readonly type: 'more'; readonly spare?: ArrayBuffer }
  | { readonly id: number; readonly type: 'abort' }

/** From a worker. After `result` or `error` it touches nothing of the job's input any more. */
export type FromWorker =
  | { readonly id: number; readonly type: 'part'; readonly part: unknown }
  | { readonly id: number; readonly type: 'result'; readonly result: unknown }
  | { readonly id: number; readonly type: 'error'; readonly error: PlainError }

/** An error as it crosses threads: of a class, only the name would survive. */
export interface PlainError {
  readonly isOurs: boolean
  readonly code: string | undefined
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly stack: string | undefined
}

/** Parts that may be on their way to the consumer; a job that is this far ahead is set aside until it takes one. */
export const PARTS_AHEAD = 8
/** The same in bytes; one part may be larger. */
export const BYTES_AHEAD = 1024 * 1024

/**
 * Address of a worker's file beside the module that asks: ".ts" where the sources run, ".js" in a build. The compiler rewrites
 * the suffix of imports only.
 *
 * @param file without its suffix: "./storage-worker"
 * @param importer `import.meta.url` of the asking module
 */
export function workerUrl(file: string, importer: string): URL {
  const suffix = /\.[jt]s(?=$|\?)/.exec(importer)?.[0] ?? '.js'
  return new URL(`${file}${suffix}`, importer)
}
