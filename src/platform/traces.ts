import { channel, tracingChannel, type TracingChannel } from 'node:diagnostics_channel'

/** What the metrics measure. Costs nothing while nobody subscribes. */
export const TRACES = {
  /** A statement that is sent to PostgreSQL. */
  statement: tracingChannel('filemgr:postgres:statement'),
  /** A transaction that waits for the ones before it on its connection. */
  turn: tracingChannel('filemgr:postgres:turn'),
  /** An attempt to connect to PostgreSQL. */
  connecting: tracingChannel('filemgr:postgres:connecting'),
  /** A connection to PostgreSQL that was not closed by us has ended. */
  lost: channel('filemgr:postgres:lost'),
  /** A request to the S3 server, with its repetitions: a `BucketTrace`. */
  bucket: channel('filemgr:s3:request'),
} as const

export interface BucketTrace {
  /** The name of the request in the API, such as "PutObject". */
  readonly operation: string
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined
  readonly attempts: number
  readonly seconds: number
}

/** Runs work, and tells its subscribers when it begins, ends and fails. */
export async function traced<T>(trace: TracingChannel, work: () => Promise<T>): Promise<T> {
  return await (trace.hasSubscribers ? trace.tracePromise<undefined, [], T>(work) : work())
}
