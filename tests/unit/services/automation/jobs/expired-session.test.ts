import { expect, it } from 'vitest'
import { OPERATOR, type SignedIn } from '../../../../../src/domain/accounts/actor.ts'
import { fail, throwIfCancelled } from '../../../../../src/domain/errors.ts'
import { parseVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { isOver, type Job } from '../../../../../src/domain/automation/job.ts'
import type { JobRecord } from '../../../../../src/domain/automation/job-record.ts'
import { JobQueue } from '../../../../../src/platform/limits/job-queue.ts'
import { systemRandom } from '../../../../../src/platform/security/random.ts'
import { createStartJob, type RecordedWork } from '../../../../../src/services/automation/jobs/start-job.ts'
import { createHeldSessions } from '../../../../../src/services/accounts/sessions/held-sessions.ts'
import type { SessionBook } from '../../../../../src/services/accounts/sessions/sessions.ts'
import { createJobJournal } from '../../../../../src/services/automation/jobs/job-notes.ts'
import { createResumeJobs, type ResumeJobsDeps } from '../../../../../src/services/resume-jobs.ts'
import { MemoryLeases } from '../../../../../src/store/memory-leases.ts'
import { memoryRecords } from '../../../../../src/store/records/records.ts'
import { make } from '../../../../helpers/make.ts'
import { recordingLog } from '../../../../helpers/recording-log.ts'
import { testContext, type TestContext } from '../../../../helpers/test-context.ts'

const HOUR = 60 * 60_000
const REQUEST = { kind: 'measure', path: parseVirtualPath('/') } as const

/** One run of a daemon with these records of jobs. */
function run(
  { services, clock }: TestContext,
  records = memoryRecords<JobRecord>(),
  away = { is: false },
  known?: (id: string) => Job,
) {
  const queue = new JobQueue({ clock, random: systemRandom })
  const leases = new MemoryLeases()
  const journal = createJobJournal({ records, steps: memoryRecords(), leases, clock, random: systemRandom })
  const log = recordingLog()
  const sessions = services.sessions as SessionBook
  const heldSessions = createHeldSessions({
    sessions: {
      async extend(family, kept) {
        if (away.is) fail('STORE_BUSY', 'the database is away')
        await sessions.extend(family, kept)
      },
    },
    patience: 24 * HOUR,
    clock,
    log,
  })
  const { access, actorWatch } = services
  const jobBoard = { whenSaved: async () => undefined, drop: () => undefined, find: async (id: string) => known?.(id) }
  const startJob = createStartJob({ queue, journal, jobBoard, access, actorWatch, heldSessions, log })
  const measuring = (): RecordedWork => async () => ({})
  const resume = createResumeJobs({
    journal,
    leases,
    jobBoard,
    startJob,
    heldSessions,
    log,
    auth: services.auth,
    apiTokens: services.apiTokens,
    folderSizes: { measuring },
  } as Partial<ResumeJobsDeps> as ResumeJobsDeps)
  return { queue, records, startJob, resume: async () => await resume(false) }
}

/** A job of a user that was interrupted, after which the session has expired. */
async function interrupted(context: TestContext, bob: SignedIn) {
  const { queue, startJob, records } = run(context)
  {
    using files = await context.services.access.at(bob, '/')
    await startJob.start(bob, files, REQUEST, async (_files, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throwIfCancelled(signal)
      return {}
    })
  }
  context.clock.move(3 * HOUR)
  // A sign-in removes the records of sessions that are over.
  await context.login('admin')
  await queue[Symbol.asyncDispose]()
  return records
}

const outcomeOf = async ({ queue, resume }: ReturnType<typeof run>) => {
  await resume()
  await expect.poll(() => queue.list().every(isOver)).toBe(true)
  return queue.list().map(({ state, error }) => error?.code ?? state)
}

it('a job whose session has expired goes on after a restart', async () => {
  await using context = await testContext({ users: [make.admin(), make.user()] })
  const records = await interrupted(context, await context.actor('bob'))
  const next = run(context, records)
  await using _queue = next.queue
  expect(await outcomeOf(next)).toEqual(['done'])
})

it('a job that cannot be taken over because the database is away is taken over later', async () => {
  await using context = await testContext({ users: [make.admin(), make.user()] })
  const records = await interrupted(context, await context.actor('bob'))
  const away = { is: true }
  const next = run(context, records, away)
  await using _queue = next.queue
  expect(await outcomeOf(next)).toEqual([])
  away.is = false
  expect(await outcomeOf(next)).toEqual(['done'])
})

it('a job whose end is known is not run again: only its record was left', async () => {
  await using context = await testContext({ users: [make.admin(), make.user()] })
  const records = await interrupted(context, await context.actor('bob'))
  const ended = (id: string) => ({ id, state: 'cancelled' }) as Job
  const next = run(context, records, { is: false }, ended)
  await using _queue = next.queue
  expect(await outcomeOf(next)).toEqual([])
  expect(await records.list()).toEqual([])
})

it('a job whose session was revoked, before or after it expired, or whose user is disabled, fails after a restart', async () => {
  const ends: ((context: TestContext, bob: SignedIn) => Promise<unknown>)[] = [
    async ({ services }, bob) => await services.sessions.revoke(OPERATOR, bob.session.family),
    async ({ services }, bob) => await services.sessions.revokeAllOf(OPERATOR, bob.id),
    async ({ services }, bob) => await services.users.update(OPERATOR, bob.id, { disabled: true }),
    async ({ services }, bob) => await services.users.setPassword(OPERATOR, bob.id, 'a new pass phrase'),
    async ({ services }, bob) => await services.users.remove(OPERATOR, bob.id),
  ]
  for (const end of ends) {
    await using context = await testContext({ users: [make.admin(), make.user()] })
    const bob = await context.actor('bob')
    const records = await interrupted(context, bob)
    await end(context, bob)
    const next = run(context, records)
    await using _queue = next.queue
    expect(await outcomeOf(next)).toEqual(['UNAUTHENTICATED'])
  }
})
