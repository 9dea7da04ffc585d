import { lazyPrompt } from '../../kit/prompt-stack.tsx'

export const AbortQuestion = lazyPrompt(async () => (await import('./abort-prompt.tsx')).AbortPrompt)
