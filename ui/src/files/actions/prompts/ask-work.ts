import { lazyPrompt } from '../../../kit/dialog/prompt-stack.tsx'

/** Each dialog is fetched when it is first asked for. */
export const RenameQuestion = lazyPrompt(async () => (await import('./rename-prompt.tsx')).RenamePrompt)
export const DeleteForGood = lazyPrompt(async () => (await import('./delete-prompt.tsx')).DeletePrompt)
export const PickFolder = lazyPrompt(async () => (await import('./pick-folder-prompt.tsx')).PickFolderPrompt)
export const DownloadQuestion = lazyPrompt(async () => (await import('./download-prompt.tsx')).DownloadPrompt)
export const DetailsPrompt = lazyPrompt(async () => (await import('./details-prompt.tsx')).DetailsPrompt)
export const ConflictQuestion = lazyPrompt(
  async () => (await import('../conflicts/conflict-prompt.tsx')).ConflictPrompt,
)
