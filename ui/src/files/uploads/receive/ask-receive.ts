import { lazyPrompt } from '../../../kit/dialog/prompt-stack.tsx'

export const ReceiveQuestion = lazyPrompt(async () => (await import('./receive-prompt.tsx')).ReceivePrompt)
