import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { getFolderSizes } from '../../../../../src/api/files/files.ts'
import type { FolderSizes, Listing, Resource } from '../../../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { isOver } from '../../../../../src/domain/automation/job.ts'
import { cancelJobs } from '../../queries/jobs-query.ts'
import { useClient } from '../../../api/client.ts'
import { useUser } from '../../../api/session.ts'
import { useSavePreferences } from '../../../api/own-account.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { useLatest } from '../../../lib/hooks.ts'
import { compareBytes } from '../../../../../src/domain/files/listing-order.ts'

/** Milliseconds between requests while sizes are computed; with more folders than this, one millisecond per folder. */
const COUNTING_INTERVAL = 1000
/** Milliseconds between requests afterwards, which find changes deep inside the folders. */
const IDLE_INTERVAL = 30_000

/** The known sizes of folders in bytes, by name. */
export type KnownSizes = ReadonlyMap<string, number>

export interface ShownSizes {
  readonly known: KnownSizes
  /** Some sizes are still being computed. */
  readonly isCounting: boolean
}

/** The sizes of the folders in the list, if the user wants them. Switching them off cancels the computation. */
export function useFolderSizes(folder: VirtualPath, listing: Listing) {
  const client = useClient()
  const queries = useQueryClient()
  const savePreferences = useSavePreferences()
  const toasts = useToasts()
  const t = useText()
  const user = useUser()
  const save = useMutation({
    scope: { id: 'folder-sizes' },
    mutationFn: (folderSizes: boolean) => savePreferences({ folderSizes }),
    onError: () => toasts.error(t('files.viewNotSaved')),
  })
  const isOn = save.isPending ? save.variables : (user?.folderSizes ?? false)
  const queryKey = ['sizes', folder]
  const latest = useLatest(listing)
  /** The listing for which sizes were last requested. */
  const requestedFor = useRef<Listing>(null)
  const { data, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      requestedFor.current = latest.current
      // A cancelled job is not started again while the folder stays open.
      const hasJob = queries.getQueryData<FolderSizes>(queryKey)?.job !== undefined
      return client.call(getFolderSizes, { params: { '*': folder }, query: hasJob ? {} : { measure: 'true' }, signal })
    },
    enabled: isOn,
    refetchInterval: ({ state: { data: now } }) => {
      if (now?.job === undefined) return IDLE_INTERVAL
      return isOver(now.job) ? false : Math.max(COUNTING_INTERVAL, now.sizes.length)
    },
    gcTime: 0,
    retry: false,
    throwOnError: false,
  })
  useEffect(() => {
    // A running request may answer with the sizes from before a change, so another one follows.
    if (isOn && !isFetching && requestedFor.current !== listing) void refetch({ cancelRefetch: false })
  }, [listing, isOn, isFetching, refetch])
  const running = data?.job !== undefined && !isOver(data.job) ? data.job : undefined
  const isCounting = data === undefined || running !== undefined
  const sizes = useMemo(() => {
    const known = new Map(data?.sizes.map(({ name, bytes }) => [name, bytes]))
    return isOn ? { known, isCounting } : undefined
  }, [data?.sizes, isCounting, isOn])
  return {
    /** Undefined if the user does not want them. */
    sizes,
    toggle() {
      if (running !== undefined) cancelJobs(client, [running.id])
      if (isOn) queries.removeQueries({ queryKey })
      save.mutate(!isOn)
    },
  }
}

/** The entries. If the list is sorted by size, folders are placed by their known sizes. */
export function useSizeOrder({ items, sorting }: Listing, sizes: ShownSizes | undefined): readonly Resource[] {
  const known = sizes?.known
  return useMemo(
    () => (known === undefined || sorting.by !== 'size' ? items : sizeOrder(items, known, sorting.asc)),
    [items, known, sorting],
  )
}

/**
 * Sorts folders among the files by size; those of unknown size count as the smallest. The files are already sorted, so
 * even a very large folder takes only one pass.
 *
 * @param sizes bytes of folders, by their names
 */
export function sizeOrder(
  entries: readonly Resource[],
  sizes: ReadonlyMap<string, number>,
  ascending: boolean,
): Resource[] {
  const sizeOf = ({ isDir, name, size }: Resource) => (isDir ? (sizes.get(name) ?? -1) : size)
  const compare = (one: Resource, other: Resource) =>
    (ascending ? sizeOf(one) - sizeOf(other) : sizeOf(other) - sizeOf(one)) || compareBytes(one.name, other.name)
  const folders = entries.filter(({ isDir }) => isDir).sort(compare)
  const ordered: Resource[] = []
  let next = 0
  for (const file of entries) {
    if (file.isDir) continue
    for (let folder = folders[next]; folder !== undefined && compare(folder, file) < 0; folder = folders[(next += 1)])
      ordered.push(folder)
    ordered.push(file)
  }
  return [...ordered, ...folders.slice(next)]
}
