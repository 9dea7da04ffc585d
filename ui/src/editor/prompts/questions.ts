import { lazyPrompt } from '../../kit/dialog/prompt-stack.tsx'

/** What the editor asks. Each dialog is fetched when it is first asked for. */
export const LineQuestion = lazyPrompt(async () => (await import('./line-prompt.tsx')).LinePrompt)
export const LanguageQuestion = lazyPrompt(async () => (await import('./language-prompt.tsx')).LanguagePrompt)
export const ConflictQuestion = lazyPrompt(async () => (await import('./conflict-prompt.tsx')).ConflictPrompt)
