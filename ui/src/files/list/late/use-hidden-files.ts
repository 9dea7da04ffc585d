import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useUser } from '../../../api/session-context.tsx'
import { useSaveOwn } from '../../../api/use-save-own.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useAnnounce } from '../../../kit/feedback/announcer.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'

export interface HiddenFiles {
  /** Whether files are listed whose name begins with a dot. */
  readonly shown: boolean
  toggle(): void
}

/** The user's choice whether hidden files are listed. The server leaves them out, so the folder is read again. */
export function useHiddenFiles(): HiddenFiles {
  const user = useUser()
  const saveOwn = useSaveOwn()
  const queries = useQueryClient()
  const toasts = useToasts()
  const announce = useAnnounce()
  const t = useText()
  const save = useMutation({
    scope: { id: 'hidden-files' },
    mutationFn: async (hideDotfiles: boolean) => {
      await saveOwn({ hideDotfiles })
      await queries.invalidateQueries({ queryKey: ['listing'] })
      announce(t(hideDotfiles ? 'files.hiddenAreHidden' : 'files.hiddenAreShown'))
    },
    onError: () => toasts.error(t('files.hiddenNotSaved')),
  })
  const hides = save.isPending ? save.variables : (user?.hideDotfiles ?? false)
  return { shown: !hides, toggle: () => save.mutate(!hides) }
}
