import type { PromptStack } from '../kit/dialog/prompt-stack.tsx'
import type { AppRouter } from './router.tsx'

/** A prompt belongs to the screen it was asked on. */
export function closePromptsOnNavigation(router: AppRouter, prompts: PromptStack): () => void {
  return router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
    if (pathChanged) prompts.closeAll()
  })
}
