import type { QueryClient } from '@tanstack/react-query'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { SessionUser } from '../../api/token.ts'
import type { Client } from '../../api/client.ts'
import type { Translate } from '../../i18n/use-text.tsx'
import type { AskPrompt } from '../../kit/dialog/prompt-stack.tsx'
import type { Toasts } from '../../kit/feedback/toast.tsx'
import type { Store } from '../../lib/create-store.ts'
import type { Activity } from './activity.ts'
import type { UndoStack } from './undo-stack.ts'
import type { Arrival, Held, WorkItem } from './work.ts'

/** What work is done with. Texts and the user are those of the moment. */
export interface WorkDeps {
  readonly client: Client
  readonly queries: QueryClient
  readonly ask: AskPrompt
  readonly toasts: Toasts
  readonly activity: Activity
  readonly undoStack: UndoStack
  readonly held: Store<Held | null>
  readonly arrivals: Store<Arrival | null>
  text: Translate
  user(): SessionUser | undefined
  share(item: WorkItem): Promise<void>
  announce(text: string): void
  goTo(folder: VirtualPath): void
}
