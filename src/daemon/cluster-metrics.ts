import type { Context } from '../context.ts'
import type { TracingChannel } from 'node:diagnostics_channel'
import { isOver, type Job, JOB_KINDS } from '../domain/automation/job.ts'
import { Counter, gauge, Histogram, type Metric } from '../platform/metrics.ts'
import { type BucketTrace, TRACES } from '../platform/traces.ts'

export interface Measured extends Disposable {
  metrics(): Metric[]
}

/** Seconds. Most statements take less than a millisecond. */
const STATEMENT_TIMES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const BUCKET_TIMES = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** What this daemon asks of PostgreSQL. */
export function measurePostgres(): Measured {
  const statements = new Counter('filemgr_postgres_statements_total', 'Statements that have ended.')
  const times = new Histogram('filemgr_postgres_statement_duration_seconds', 'Time until the result.', STATEMENT_TIMES)
  const connections = new Counter('filemgr_postgres_connections_total', 'Attempts to connect, since the start.')
  const lost = new Counter('filemgr_postgres_connections_lost_total', 'Connections that broke, since the start.')
  lost.add(0)
  const lose = () => lost.add(1)
  TRACES.lost.subscribe(lose)
  const running = follow(TRACES.statement, (outcome, seconds) => {
    statements.add(1, { outcome })
    times.observe(seconds)
  })
  const waiting = follow(TRACES.turn)
  const connecting = follow(TRACES.connecting, (outcome) => connections.add(1, { outcome }))
  return {
    metrics: () => [
      ...[statements, times, connections, lost],
      gauge('filemgr_postgres_statements_running', 'Statements without a result yet.', running.open()),
      gauge('filemgr_postgres_transactions_waiting', 'Transactions that wait for a connection.', waiting.open()),
    ],
    [Symbol.dispose]() {
      TRACES.lost.unsubscribe(lose)
      for (const followed of [running, waiting, connecting]) followed[Symbol.dispose]()
    },
  }
}

/** What this daemon asks of the S3 server. */
export function measureBucket(): Measured {
  const requests = new Counter('filemgr_s3_requests_total', 'Requests that were answered, or given up.')
  const retries = new Counter('filemgr_s3_retries_total', 'Repetitions of requests.')
  const times = new Histogram('filemgr_s3_request_duration_seconds', 'Time until the answer begins.', BUCKET_TIMES)
  const note = (message: unknown) => {
    const { operation, status, attempts, seconds } = message as BucketTrace
    requests.add(1, { operation, status: status === undefined ? 'none' : String(status) })
    retries.add(attempts - 1, { operation })
    times.observe(seconds, { operation })
  }
  TRACES.bucket.subscribe(note)
  return {
    metrics: () => [requests, retries, times],
    [Symbol.dispose]() {
      TRACES.bucket.unsubscribe(note)
    },
  }
}

export function measureJobs({ services: { jobs }, shared }: Context): Measured {
  const ended = new Counter('filemgr_jobs_ended_total', 'Jobs that have ended.')
  const lost = new Counter('filemgr_leases_lost_total', 'Leases that other daemons may have taken over.')
  const counted = new WeakSet<Job>()
  const unsubscribe = jobs.onChange((job) => {
    // Some report progress once more, after they have failed.
    if (!isOver(job) || counted.has(job)) return
    counted.add(job)
    ended.add(1, { kind: job.kind, end: job.state })
  })
  let known = 0
  return {
    metrics() {
      const leases = shared?.leaseCounts?.() ?? { held: 0, lost: 0 }
      lost.add(leases.lost - known)
      known = leases.lost
      const unfinished = jobs.unfinished()
      const inState = (wanted: Job['state']) =>
        JOB_KINDS.map((kind) => {
          const value = unfinished.filter((job) => job.kind === kind && job.state === wanted).length
          return { labels: { kind }, value }
        })
      return [
        gauge('filemgr_jobs', 'Jobs that wait or run.', unfinished.length),
        gauge('filemgr_jobs_waiting', 'Jobs that wait.', ...inState('waiting')),
        gauge('filemgr_jobs_running', 'Jobs that run.', ...inState('running')),
        ended,
        gauge('filemgr_leases_held', 'Leases in the database that this daemon holds.', leases.held),
        lost,
      ]
    },
    [Symbol.dispose]: unsubscribe,
  }
}

/** Counts what is under way. @param ended called with the outcome and seconds of each */
function follow(
  trace: TracingChannel,
  ended: (outcome: 'done' | 'failed', seconds: number) => void = () => undefined,
): Disposable & { open(): number } {
  const begun = new Map<object, number>()
  const failed = new WeakSet()
  const subscriber = {
    start: (work: object) => void begun.set(work, performance.now()),
    end: () => undefined,
    asyncStart: () => undefined,
    error: (work: object) => void failed.add(work),
    asyncEnd(work: object) {
      const since = begun.get(work)
      if (!begun.delete(work) || since === undefined) return
      ended(failed.has(work) ? 'failed' : 'done', (performance.now() - since) / 1000)
    },
  }
  trace.subscribe(subscriber)
  return {
    open: () => begun.size,
    [Symbol.dispose]() {
      trace.unsubscribe(subscriber)
    },
  }
}
