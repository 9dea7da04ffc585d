import { useMutation, useQueryClient } from '@tanstack/react-query'
import { updateUser } from '../../../../../src/api/accounts/users.ts'
import type { Listing } from '../../../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../../../src/domain/files/sorting.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../../api/client.ts'
import { useUser } from '../../../api/session.ts'
import { useSavePreferences } from '../../../api/own-account.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useAnnounce } from '../../../kit/feedback/announcer.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import type { ViewMode } from '../grid/grid-metrics.ts'
import { listingKey, LISTINGS } from '../../queries/listing-query.ts'
import { sortFolder } from '../sort/sort-folder.ts'

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
