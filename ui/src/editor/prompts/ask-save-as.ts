import { lazyPrompt } from '../../kit/dialog/prompt-stack.tsx'

export const SaveAsQuestion = lazyPrompt(async () => (await import('./save-as-prompt.tsx')).SaveAsPrompt)
