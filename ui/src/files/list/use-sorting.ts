import { useMutation, useQueryClient } from '@tanstack/react-query'
import { updateUser } from '../../../../src/api/users.ts'
import type { Listing } from '../../../../src/domain/resource.ts'
import type { Sorting } from '../../../../src/domain/sorting.ts'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useClient } from '../../api/client-context.tsx'
import { useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { listingKey } from './listing-query.ts'

/** Sorts what is shown at once, saves the choice, then reads the folder again in the order of the server. */
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
      const { sortBeside } = await import('./sort/sort-beside.ts')
      const items = await sortBeside(shown.items, sorting)
      // Another list has come meanwhile: the one that is read in the end has the order of the server.
      queries.setQueryData<Listing>(listingKey(folder), (now) => (now === shown ? { ...shown, sorting, items } : now))
    },
    onError: () => toasts.error(t('files.sortingNotSaved')),
    onSettled: () => queries.invalidateQueries({ queryKey: ['listing'] }),
  })
  return save.mutate
}
