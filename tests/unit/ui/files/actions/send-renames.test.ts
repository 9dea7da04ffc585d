import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import type { Rename, RenameOutcome } from '../../../../../src/domain/files/renames/renames.ts'
import { ROOT } from '../../../../../src/domain/files/virtual-path.ts'
import type { Job } from '../../../../../src/domain/automation/job.ts'
import { ApiError } from '../../../../../ui/src/api/api-error.ts'
import type { Client } from '../../../../../ui/src/api/client.ts'
import { beginRenames } from '../../../../../ui/src/files/actions/renames/send-renames.ts'

const RENAMES: readonly Rename[] = [{ from: 'a', to: 'b' }]
const OUTCOME: RenameOutcome = { renamed: [...RENAMES], failed: [] }
/** A job that is over at once, because no timer asks for it again here. */
const JOB = { id: '1', kind: 'rename', state: 'done', progress: {}, path: '/' }

/** @param replies by operation id; an error is thrown */
function fakeClient(replies: Readonly<Record<string, unknown>>): Client {
  const call = ({ id }: { readonly id: string }) => {
    const reply = replies[id]
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply)
  }
  return { call } as unknown as Client
}

async function outcomeWith(replies: Readonly<Record<string, unknown>>): Promise<RenameOutcome> {
  const queries = new QueryClient()
  queries.mount()
  try {
    return await (
      await beginRenames({ client: fakeClient(replies), queries }, ROOT, RENAMES)
    ).ended
  } finally {
    queries.unmount()
    queries.clear()
  }
}

it('takes the answer to a few renames as it is', async () => {
  expect(await outcomeWith({ 'files.renameMany': OUTCOME })).toEqual(OUTCOME)
})

it('waits for the job of many, and asks for what it has done', async () => {
  const replies = { 'files.renameMany': JOB, 'jobs.list': [JOB], 'jobs.get': { ...JOB, renames: OUTCOME } }
  expect(await outcomeWith(replies)).toEqual(OUTCOME)
})

it('counts all as failed if the job failed or the server no longer knows it', async () => {
  const error = { code: 'BUSY', message: 'too much' }
  const failed = { ...JOB, state: 'failed', error } as unknown as Job
  const replies = { 'files.renameMany': failed, 'jobs.list': [failed], 'jobs.get': failed }
  expect(await outcomeWith(replies)).toEqual({ renamed: [], failed: [{ from: 'a', to: 'b', error }] })
  const gone = new ApiError({ status: 404, message: '404 Not Found' })
  expect(await outcomeWith({ ...replies, 'jobs.get': gone })).toEqual({
    renamed: [],
    failed: [{ from: 'a', to: 'b', error }],
  })
})

it('passes on a refusal', async () => {
  const refusal = new ApiError({ status: 409, message: '409 Conflict' })
  await expect(outcomeWith({ 'files.renameMany': refusal })).rejects.toBe(refusal)
})
