import { useMutation } from '@tanstack/react-query'
import { useUser } from '../../api/session-context.tsx'
import { useSaveOwn } from '../../api/use-save-own.ts'
import { useText } from '../../i18n/use-text.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import type { ViewMode } from './grid/grid-metrics.ts'

/** The view that the user has chosen. A new choice is shown at once and saved behind it. */
export function useViewMode(): readonly [ViewMode, (mode: ViewMode) => void] {
  const user = useUser()
  const saveOwn = useSaveOwn()
  const toasts = useToasts()
  const t = useText()
  const save = useMutation({
    scope: { id: 'view-mode' },
    mutationFn: (viewMode: ViewMode) => saveOwn({ viewMode }),
    onError: () => toasts.error(t('files.viewNotSaved')),
  })
  const mode = save.isPending ? save.variables : (user?.viewMode ?? 'list')
  return [mode, save.mutate]
}
