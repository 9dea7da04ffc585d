import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Listing } from '../../../../../src/domain/files/resource.ts'
import { DEFAULT_SORTING } from '../../../../../src/domain/files/sorting.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useSavePreferences } from '../../../api/own-account.ts'
import { useUser } from '../../../api/session.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { LISTINGS, listingKey } from '../../queries/listing-query.ts'
import { reorder } from '../sort/arrange.ts'
import { createLooks, type Look, USUAL_COLUMNS } from './looks.ts'

/** How a folder is shown, and ways to change it. */
export interface FolderLook extends Look {
  /** It was chosen here, not in a folder above or for all. */
  readonly own: boolean
  change(look: Partial<Look>): void
  applyToAll(): void
  followOthers(): void
}

/** @param sorting of the listing, once it is there */
export function useLook(folder: VirtualPath, sorting = DEFAULT_SORTING): FolderLook {
  const user = useUser()
  const queries = useQueryClient()
  const savePreferences = useSavePreferences()
  const toasts = useToasts()
  const t = useText()
  const looks = createLooks(localStorage, user?.id)
  const [{ own, look: kept }, setKept] = useState(() => looks.of(folder))
  const look: Look = { mode: user?.viewMode ?? 'list', grouping: 'none', columns: USUAL_COLUMNS, sorting, ...kept }
  const notSaved = (): void => toasts.error(t('files.viewNotSaved'))
  const applyToAll = async (): Promise<void> => {
    const { mode, grouping, columns } = look
    await savePreferences({ viewMode: mode, sorting: look.sorting })
    looks.keepForAll({ grouping, columns })
    setKept(looks.of(folder))
    await queries.invalidateQueries({ queryKey: LISTINGS })
    toasts.success(t('files.usedForAll'))
  }
  const order = async (next: Look): Promise<void> => {
    const queryKey = listingKey(folder)
    // What is on its way has the order from before.
    const isReading = queries.isFetching({ queryKey }) > 0
    await queries.cancelQueries({ queryKey })
    const shown = queries.getQueryData<Listing>(queryKey)
    const ordered = shown && (await reorder(shown, next))
    // A newer listing stays: it has been put in order already.
    queries.setQueryData<Listing>(queryKey, (now) => (now === shown ? ordered : now))
    if (isReading) await queries.invalidateQueries({ queryKey })
  }
  return {
    ...look,
    own,
    change(change) {
      const next = { ...look, ...change }
      looks.keep(folder, next)
      setKept(looks.of(folder))
      if ('sorting' in change || 'grouping' in change) order(next).catch(notSaved)
    },
    applyToAll: () => void applyToAll().catch(notSaved),
    followOthers() {
      looks.forget(folder)
      setKept(looks.of(folder))
      void queries.invalidateQueries({ queryKey: listingKey(folder) })
    },
  }
}
