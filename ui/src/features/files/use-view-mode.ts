import { useMutation } from '@tanstack/react-query'
import { updateUser } from '../../../../src/api/users.ts'
import { useClient } from '../../api/client-context.tsx'
import { useSession, useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { useToasts } from '../../kit/toast.tsx'
import type { ViewMode } from './grid/grid-metrics.ts'

/** The view that the user has chosen. A new choice is shown at once and saved behind it. */
export function useViewMode(): readonly [ViewMode, (mode: ViewMode) => void] {
  const user = useUser()
  const session = useSession()
  const client = useClient()
  const toasts = useToasts()
  const t = useText()
  const save = useMutation({
    scope: { id: 'view-mode' },
    mutationFn: async (viewMode: ViewMode) => {
      if (user === undefined) return
      const body = { what: 'user', which: ['viewMode'], data: { id: user.id, viewMode } }
      await client.call(updateUser, { params: { id: String(user.id) }, body })
      // The token carries a copy of the user: without a new one a reload would show the old view.
      await session.renew()
    },
    onError: () => toasts.error(t('files.viewNotSaved')),
  })
  const mode = save.isPending ? save.variables : (user?.viewMode ?? 'list')
  return [mode, save.mutate]
}
