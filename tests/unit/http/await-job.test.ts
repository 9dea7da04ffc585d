import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { cancelled } from '../../../src/domain/errors.ts'
import type { UserId } from '../../../src/domain/ids.ts'
import { awaitJob } from '../../../src/http/send/await-job.ts'
import { JobQueue } from '../../../src/platform/limits/job-queue.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { systemRandom } from '../../../src/platform/security/random.ts'
import { codeOf } from '../../contract/storage/view.ts'

it.each([
  ['another server takes over', (queue: JobQueue, id: string) => queue.leave(id), 'UNAVAILABLE'],
  ['is cancelled', (queue: JobQueue, id: string) => queue.cancel(id), 'CANCELLED'],
] as const)('a request that waits for a job that %s is answered truthfully', async (_, end, code) => {
  await using queue = new JobQueue({ clock: systemClock, random: systemRandom })
  const started = queue.start({ kind: 'rename', userID: 1 as UserId, path: '/a' }, async ({ signal }) => {
    const { promise, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => reject(cancelled()))
    return await promise
  })
  const answer = awaitJob({ headers: {} } as FastifyRequest, {} as FastifyReply, started, '')
  end(queue, started.id)
  expect(await codeOf(answer)).toBe(code)
})
