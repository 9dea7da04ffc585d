import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSavePreferences } from '../../../api/own-account.ts'
import { useUser } from '../../../api/session.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useAnnounce } from '../../../kit/feedback/announcer.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'
import { useMediaQuery } from '../../../lib/hooks.ts'
import { LISTINGS } from '../../queries/listing-query.ts'

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
export const WIDE = '(min-width: 1100px)'
const WIDE_ENOUGH_FOR_THREE = '(min-width: 1500px)'

/** Whether details stay open beside the list, remembered for each user of this browser; undefined on narrower screens. */
export function useDetailsPane(isSplit: boolean): Shown | undefined {
  const key = `filemgr:details:${useUser()?.id}`
  const wide = useMediaQuery(isSplit ? WIDE_ENOUGH_FOR_THREE : WIDE)
  const [shown, setShown] = useState(() => localStorage.getItem(key) !== null)
  if (!wide) return undefined
  const toggle = (): void => {
    setShown(!shown)
    if (shown) localStorage.removeItem(key)
    else localStorage.setItem(key, 'open')
  }
  return { shown, toggle }
}
