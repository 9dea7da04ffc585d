import { lazyPrompt } from '../../../kit/dialog/prompt-stack.tsx'

/** Apart from the other questions, which come with the files: this one is asked in settings. */
export const ConfirmQuestion = lazyPrompt(async () => (await import('./confirm-prompt.tsx')).ConfirmPrompt)
