import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useClient } from '../../api/client.ts'
import { useLiveEvent } from '../../api/live-events.ts'
import { useUser } from '../../api/session.ts'
import { useTextPart, useText } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { filesHref } from '../../lib/navigation/app-path.ts'
import type { Store } from '../../lib/create-store.ts'
import { requiredContext, useLatest } from '../../lib/hooks.ts'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import { createActivity } from './batches/activity.ts'
import { createFileActions } from './file-actions.ts'
import type { AddedEntries, FileActions } from './model.ts'
import { noteJob } from '../queries/jobs-query.ts'
import { createUndoStack } from './undo/undo-stack.ts'

/** `const files = useFileActions(); await files.remove(items)` */
const [FileActionsContext, useFileActions] = requiredContext<FileActions>('FileActions')
export { useFileActions }

interface FileActionsProviderProps {
  /** Shared with the uploads, which add entries too. */
  readonly addedEntries: Store<AddedEntries | null>
  readonly children: ReactNode
}

/** Provides the screens behind the sign-in with the file actions and their shared state: clipboard, undo, jobs. */
export function FileActionsProvider({ addedEntries, children }: FileActionsProviderProps) {
  useTextPart('actions')
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const ask = usePrompt()
  const toasts = useToasts()
  const announce = useAnnounce()
  const latest = useLatest({ text: t, user: useUser(), navigateTo: useNavigateTo() })
  const [files] = useState(() =>
    createFileActions({
      client,
      queries,
      ask,
      toasts,
      announce,
      addedEntries,
      activity: createActivity(),
      undoStack: createUndoStack(),
      text: (id, values) => latest.current.text(id, values),
      user: () => latest.current.user,
      goTo: (folder) => latest.current.navigateTo(filesHref(folder === '/' ? folder : `${folder}/`)),
    }),
  )
  useLiveEvent('job', (job) => {
    // Administrators receive the jobs of all users.
    if (job.userID === latest.current.user?.id) noteJob(queries, job)
  })
  useShortcuts([{ keys: 'Ctrl+Z', label: t('actions.undo'), group: 'act', run: () => void files.undo() }])
  return <FileActionsContext value={files}>{children}</FileActionsContext>
}
