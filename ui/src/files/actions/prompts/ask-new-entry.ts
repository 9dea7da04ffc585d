import { lazyPrompt } from '../../../kit/dialog/prompt-stack.tsx'

/** The dialog is fetched when it is first asked for. */
export const NewEntry = lazyPrompt(async () => (await import('./new-entry-prompt.tsx')).NewEntryPrompt)
