import { lazyPrompt } from '../../kit/prompt-stack.tsx'

export const SaveAsQuestion = lazyPrompt(async () => (await import('./save-as-prompt.tsx')).SaveAsPrompt)
