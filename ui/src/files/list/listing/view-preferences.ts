import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { updateUser } from '../../../../../src/api/accounts/users.ts'
import type { Listing, Resource } from '../../../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../../../src/domain/files/sorting.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../../api/client.ts'
import { useUser } from '../../../api/session.ts'
import { useSavePreferences } from '../../../api/own-account.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useAnnounce } from '../../../kit/feedback/announcer.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { useMediaQuery } from '../../../lib/hooks.ts'
import type { ViewMode } from '../grid/grid-metrics.ts'
import { listingKey, LISTINGS } from '../../queries/listing-query.ts'
import { inOrder, keysOf, sortEntries } from '../sort/sort-entries.ts'

/** Sorts the list at once, saves the choice, then reads the folder again in the server's order. */
export function useSorting(folder: VirtualPath): (sorting: Sorting) => void {
  const user = useUser()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const t = useText()
  const save = useMutation({
    scope: { id: 'sorting' },
    mutationFn: async (sorting: Sorting) => {
      if (user === undefined) return
      const body = { what: 'user', which: ['sorting'], data: { id: user.id, sorting } }
      await client.call(updateUser, { params: { id: String(user.id) }, body })
    },
    onMutate: async (sorting) => {
      await queries.cancelQueries({ queryKey: listingKey(folder) })
      const shown = queries.getQueryData<Listing>(listingKey(folder))
      if (shown === undefined) return
      const items = await sortFolder(shown.items, sorting)
      // A newer listing stays: the server has sorted it already.
      queries.setQueryData<Listing>(listingKey(folder), (now) => (now === shown ? { ...shown, sorting, items } : now))
    },
    onError: () => toasts.error(t('files.sortingNotSaved')),
    onSettled: () => queries.invalidateQueries({ queryKey: LISTINGS }),
  })
  return save.mutate
}

/** The user's view. A new choice applies at once, while it is saved. */
export function useViewMode(): readonly [ViewMode, (mode: ViewMode) => void] {
  const user = useUser()
  const savePreferences = useSavePreferences()
  const toasts = useToasts()
  const t = useText()
  const save = useMutation({
    scope: { id: 'view-mode' },
    mutationFn: (viewMode: ViewMode) => savePreferences({ viewMode }),
    onError: () => toasts.error(t('files.viewNotSaved')),
  })
  const mode = save.isPending ? save.variables : (user?.viewMode ?? 'list')
  return [mode, save.mutate]
}

/** An option of the list that can be switched on and off. */
export interface Shown {
  readonly shown: boolean
  toggle(): void
}

/** Whether names that begin with a dot are listed. The server leaves them out, so a change reads the folder again. */
export function useHiddenFiles(): Shown {
  const user = useUser()
  const savePreferences = useSavePreferences()
  const queries = useQueryClient()
  const toasts = useToasts()
  const announce = useAnnounce()
  const t = useText()
  const save = useMutation({
    scope: { id: 'hidden-files' },
    mutationFn: async (hideDotfiles: boolean) => {
      await savePreferences({ hideDotfiles })
      await queries.invalidateQueries({ queryKey: LISTINGS })
      announce(t(hideDotfiles ? 'files.hiddenAreHidden' : 'files.hiddenAreShown'))
    },
    onError: () => toasts.error(t('files.hiddenNotSaved')),
  })
  const hides = save.isPending ? save.variables : (user?.hideDotfiles ?? false)
  return { shown: !hides, toggle: () => save.mutate(!hides) }
}

/** Only then there is room beside the list. */
const WIDE = '(min-width: 1100px)'

/** Whether details stay open beside the list, remembered for each user of this browser; undefined on narrower screens. */
export function useDetailsPane(): Shown | undefined {
  const key = `filemgr:details:${useUser()?.id}`
  const wide = useMediaQuery(WIDE)
  const [shown, setShown] = useState(() => localStorage.getItem(key) !== null)
  if (!wide) return undefined
  const toggle = (): void => {
    setShown(!shown)
    if (shown) localStorage.removeItem(key)
    else localStorage.setItem(key, 'open')
  }
  return { shown, toggle }
}

/** Up to this many entries are sorted here without a noticeable delay; more go to a worker. */
const MAX_IN_PAGE = 5000

/** Sorts a folder of any size without blocking the page. */
async function sortFolder(entries: readonly Resource[], sorting: Sorting): Promise<Resource[]> {
  if (entries.length <= MAX_IN_PAGE) return sortEntries(entries, sorting)
  const worker = new Worker(new URL('../sort/sort-worker.ts', import.meta.url), { type: 'module', name: 'sort' })
  try {
    const order = await new Promise<Uint32Array>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Uint32Array>) => resolve(data)
      worker.onerror = (event) => reject(new Error(`The folder could not be sorted: ${event.message}`))
      worker.postMessage({ keys: keysOf(entries), sorting })
    })
    return inOrder(entries, order)
  } finally {
    worker.terminate()
  }
}
