import type { QueryClient } from '@tanstack/react-query'
import { getJob } from '../../../../../src/api/automation/jobs.ts'
import { renameMany } from '../../../../../src/api/files/files-changes.ts'
import type { Rename, RenameOutcome } from '../../../../../src/domain/files/renames/renames.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { Client } from '../../../api/client.ts'
import { isJob, watchJob } from '../../queries/jobs-query.ts'
import { RESPOND_ASYNC } from '../transfers/plan-transfers.ts'

interface SendDeps {
  readonly client: Client
  readonly queries: QueryClient
}

/** Renames that the server has accepted. */
export interface BegunRenames {
  readonly renames: readonly Rename[]
  /** Resolves once all have been tried, even if the server continues them as a job. */
  readonly ended: Promise<RenameOutcome>
}

/** @throws ApiError if the server refuses them; nothing has been renamed then */
export async function beginRenames(
  { client, queries }: SendDeps,
  folder: VirtualPath,
  renames: readonly Rename[],
): Promise<BegunRenames> {
  const reply: unknown = await client.call(renameMany, {
    params: { '*': folder },
    body: { renames: [...renames] },
    headers: RESPOND_ASYNC,
  })
  if (!isJob(reply)) return { renames, ended: Promise.resolve(reply as RenameOutcome) }
  const followed = async (): Promise<RenameOutcome> => {
    const last = await watchJob(client, queries, reply)
    // Lists and events leave out the renames of a job.
    const { renames: outcome, error } = await client.call(getJob, { params: { id: reply.id } }).catch(() => last)
    const reason = error ?? { code: 'INTERNAL', message: '' }
    return outcome ?? { renamed: [], failed: renames.map((rename) => ({ ...rename, error: reason })) }
  }
  return { renames, ended: followed() }
}
