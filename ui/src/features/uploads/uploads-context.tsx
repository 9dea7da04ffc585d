import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useState, type ReactNode } from 'react'
import { useClient } from '../../api/client-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/announcer.tsx'
import { usePrompt } from '../../kit/prompt-stack.tsx'
import { useToasts } from '../../kit/toast.tsx'
import { ConflictQuestion } from './ask-conflicts.ts'
import { createSimpleUpload } from './simple-upload.ts'
import { useLatest } from './use-latest.ts'
import { createUploads, type Uploads } from './uploads.ts'

const UploadsContext = createContext<Uploads | undefined>(undefined)

/** Holds the uploads of this page, above all screens: they go on while the user looks at something else. */
export function UploadsProvider({ children }: { readonly children: ReactNode }) {
  const client = useClient()
  const queries = useQueryClient()
  const ask = usePrompt()
  const toasts = useToasts()
  const announce = useAnnounce()
  const text = useLatest(useText())
  const [uploads] = useState(() =>
    createUploads({
      client,
      queries,
      engine: createSimpleUpload(client),
      askConflicts: (conflicts, all, target) => ask(ConflictQuestion, { conflicts, all, target }),
      onProblem: () => toasts.error(text.current('uploads.couldNotStart')),
      onFinished: ({ totals }) =>
        announce(text.current('uploads.finished', { done: totals.done, failed: totals.failed })),
    }),
  )
  return <UploadsContext value={uploads}>{children}</UploadsContext>
}

export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext)
  if (uploads === undefined) throw new Error('UploadsProvider is missing above this component')
  return uploads
}
