import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useState, type ReactNode } from 'react'
import { useClient } from '../../api/client-context.tsx'
import { useConfig } from '../../api/config.tsx'
import { useSession } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { ConflictQuestion } from './ask-conflicts.ts'
import { chooseEngine } from './engine/choose-engine.ts'
import { shareSlots } from './engine/share-slots.ts'
import { createSimpleUpload } from './simple-upload.ts'
import { useLatest } from '../../lib/use-latest.ts'
import { createUploads, type Uploads } from './uploads.ts'

const UploadsContext = createContext<Uploads | undefined>(undefined)

/** A server that does not answer within this is gone. */
const ANSWER_WITHIN = 5000

/** Holds the uploads of one user, above all screens: they go on while the user looks at something else. */
export function UploadsProvider({ children }: { readonly children: ReactNode }) {
  const client = useClient()
  const config = useConfig()
  const session = useSession()
  const queries = useQueryClient()
  const ask = usePrompt()
  const toasts = useToasts()
  const announce = useAnnounce()
  const text = useLatest(useText())
  const [uploads] = useState(() =>
    createUploads({
      client,
      queries,
      engine: shareSlots(chooseEngine(client, createSimpleUpload(client), config), windowLocks()),
      isSignedIn: () => session.state.get().status === 'signed-in',
      isReachable: () => isReachable(`${config.BaseURL}/health`),
      askConflicts: (conflicts, all, target) => ask(ConflictQuestion, { conflicts, all, target }),
      onProblem: () => toasts.error(text.current('uploads.couldNotStart')),
      onOtherFiles: () => toasts.error(text.current('uploads.otherFiles')),
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

/** Only pages that came by a secure connection have them. */
function windowLocks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined
}

/** A gateway in front of a server that is gone answers, too, but with 502 or the like. */
async function isReachable(url: string): Promise<boolean> {
  return await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN) }).then(
    ({ status }) => status < 500,
    () => false,
  )
}
