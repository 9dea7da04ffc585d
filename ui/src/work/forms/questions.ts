import { lazyPrompt } from '../../kit/prompt-stack.tsx'

/** What forms ask. Each dialog is fetched when it is first asked for. */
export const ClashQuestion = lazyPrompt(async () => (await import('./clash-prompt.tsx')).ClashPrompt)
