import { isOver, type Job } from '../../domain/job.ts'
import type { JobQueue } from '../../platform/job-queue.ts'
import { Pace } from './pace.ts'

/** About four times a second. */
const PROGRESS = { delay: 0, pause: 250 }

/** Tells of each change of state at once, and of progress no more often than anybody can look. @returns the way to stop */
export function feedJobs(queue: Pick<JobQueue, 'onChange'>, tell: (job: Job) => void): () => void {
  const running = new Map<string, { state: Job['state']; readonly pace: Pace }>()
  return queue.onChange((job) => {
    const known = running.get(job.id) ?? { state: job.state, pace: new Pace(() => tell(structuredClone(job))) }
    const isNew = !running.has(job.id) || known.state !== job.state
    known.state = job.state
    running.set(job.id, known)
    if (!isNew) return known.pace.word(PROGRESS)
    known.pace[Symbol.dispose]()
    if (isOver(job)) running.delete(job.id)
    tell(structuredClone(job))
  })
}
