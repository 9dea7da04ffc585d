import { useMutation, useQueryClient } from '@tanstack/react-query'
import { updateUser } from '../../../../../src/api/users.ts'
import { useClient } from '../../../api/client-context.tsx'
import { useSession, useUser } from '../../../api/session-context.tsx'
import { useText } from '../../../i18n/use-text.tsx'
import { useAnnounce } from '../../../kit/announcer.tsx'
import { useToasts } from '../../../kit/toast.tsx'

export interface HiddenFiles {
  /** Whether files are listed whose name begins with a dot. */
  readonly shown: boolean
  toggle(): void
}

/** The user's choice whether hidden files are listed. The server leaves them out, so the folder is read again. */
export function useHiddenFiles(): HiddenFiles {
  const user = useUser()
  const session = useSession()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const announce = useAnnounce()
  const t = useText()
  const save = useMutation({
    scope: { id: 'hidden-files' },
    mutationFn: async (hideDotfiles: boolean) => {
      if (user === undefined) return
      const body = { what: 'user', which: ['hideDotfiles'], data: { id: user.id, hideDotfiles } }
      await client.call(updateUser, { params: { id: String(user.id) }, body })
      await session.renew()
      await queries.invalidateQueries({ queryKey: ['listing'] })
      announce(t(hideDotfiles ? 'files.hiddenAreHidden' : 'files.hiddenAreShown'))
    },
    onError: () => toasts.error(t('files.hiddenNotSaved')),
  })
  const hides = save.isPending ? save.variables : (user?.hideDotfiles ?? false)
  return { shown: !hides, toggle: () => save.mutate(!hides) }
}
