import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { getFolderSizes } from '../../../../../src/api/files/files.ts'
import { cancelJob } from '../../../../../src/api/files/jobs.ts'
import type { FolderSizes } from '../../../../../src/domain/files/folder-sizes.ts'
import type { Listing, Resource } from '../../../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { isOver } from '../../../../../src/domain/job.ts'
import { useClient } from '../../../api/client.ts'
import { useUser } from '../../../api/session.ts'
import { useSavePreferences } from '../../../api/use-save-preferences.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { sizeOrder } from '../sort/size-order.ts'

/** Milliseconds between two questions while sizes are counted. Of more folders than that, one for each folder. */
const WHILE_COUNTING = 1000
/** Milliseconds between two questions whether something deep inside has changed. */
const LATER = 30_000

/** Bytes by the names of folders, as far as they are known. */
export type KnownSizes = ReadonlyMap<string, number>

export interface ShownSizes {
  readonly known: KnownSizes
  /** More are to come. */
  readonly isCounting: boolean
}

export interface FolderSizesOption {
  /** Undefined if the user does not want them. */
  readonly sizes: ShownSizes | undefined
  toggle(): void
}

/** The sizes of the folders in the list, if the user wants them. Switching them off ends the counting. */
export function useFolderSizes(folder: VirtualPath, listing: Listing): FolderSizesOption {
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
  const wanted = save.isPending ? save.variables : (user?.folderSizes ?? false)
  const queryKey = ['sizes', folder]
  const { data, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      // A job that was cancelled is not started again as long as the folder is open.
      const hasJob = queries.getQueryData<FolderSizes>(queryKey)?.job !== undefined
      return client.call(getFolderSizes, { params: { '*': folder }, query: hasJob ? {} : { measure: 'true' }, signal })
    },
    enabled: wanted,
    refetchInterval: ({ state: { data: now } }) => {
      if (now?.job === undefined) return LATER
      return isOver(now.job) ? false : Math.max(WHILE_COUNTING, now.sizes.length)
    },
    gcTime: 0,
    retry: false,
    throwOnError: false,
  })
  useEffect(() => {
    if (wanted) void refetch({ cancelRefetch: false })
  }, [listing, wanted, refetch])
  const running = data?.job !== undefined && !isOver(data.job) ? data.job : undefined
  const isCounting = data === undefined || running !== undefined
  const sizes = useMemo(() => {
    const known = new Map(data?.sizes.map(({ name, bytes }) => [name, bytes]))
    return wanted ? { known, isCounting } : undefined
  }, [data?.sizes, isCounting, wanted])
  return {
    sizes,
    toggle() {
      if (running !== undefined) void client.call(cancelJob, { params: { id: running.id } }).catch(ignore)
      if (wanted) queries.removeQueries({ queryKey })
      save.mutate(!wanted)
    },
  }
}

/** The entries in the order that the sizes of folders give, if the list is sorted by size. */
export function useSizeOrder({ items, sorting }: Listing, sizes: ShownSizes | undefined): readonly Resource[] {
  const known = sizes?.known
  return useMemo(
    () => (known === undefined || sorting.by !== 'size' ? items : sizeOrder(items, known, sorting.asc)),
    [items, known, sorting],
  )
}

/** It ended by itself. */
function ignore(): void {
  return undefined
}
