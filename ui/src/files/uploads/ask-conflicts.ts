import { lazyPrompt } from '../../kit/dialog/prompt-stack.tsx'

/** The dialog is fetched with the first conflict. */
export const ConflictQuestion = lazyPrompt(async () => (await import('./upload-conflicts.tsx')).UploadConflicts)
