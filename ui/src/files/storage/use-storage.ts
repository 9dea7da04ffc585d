import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { getFolderSizes } from '../../../../src/api/files/files.ts'
import { isOver } from '../../../../src/domain/automation/job.ts'
import type { FolderSizes } from '../../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../api/client.ts'
import { cancelJobs } from '../queries/jobs-query.ts'

/** Milliseconds between requests while the folder is counted, and afterwards. */
const COUNTING_INTERVAL = 1000
const IDLE_INTERVAL = 30_000

const KEY = 'storage'

/** What takes the room in a folder. Counts it if that is not known. */
export function useStorage(folder: VirtualPath) {
  const client = useClient()
  const queries = useQueryClient()
  const [attempt, setAttempt] = useState(0)
  const queryKey = [KEY, folder, attempt]
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      // A job that was cancelled or has failed is not started again by itself.
      const hasJob = queries.getQueryData<FolderSizes>(queryKey)?.job !== undefined
      const query = { notable: 'true', ...(!hasJob && { measure: 'true' }) }
      return client.call(getFolderSizes, { params: { '*': folder }, query, signal })
    },
    refetchInterval: ({ state: { data: now } }) => {
      if (now === undefined) return false
      if (now.job !== undefined) return isOver(now.job) ? false : COUNTING_INTERVAL
      return now.notable === undefined ? COUNTING_INTERVAL : IDLE_INTERVAL
    },
    gcTime: 0,
    retry: false,
    throwOnError: false,
  })
  const job = data?.job
  const running = job !== undefined && !isOver(job) ? job : undefined
  return {
    data,
    /** The job that counts, while it is unfinished. */
    running,
    /** Why the sizes are unknown or old: a request or the job failed. */
    error: error ?? undefined,
    failed: job !== undefined && isOver(job) ? job : undefined,
    cancel(): void {
      if (running !== undefined) cancelJobs(client, [running.id])
    },
    again: () => setAttempt(attempt + 1),
    /** After a change by this page. */
    refresh: async () => await queries.invalidateQueries({ queryKey: [KEY] }),
  }
}
