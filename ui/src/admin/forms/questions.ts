import { lazyPrompt } from '../../kit/dialog/prompt-stack.tsx'

/** What forms ask. Each dialog is fetched when it is first asked for. */
export const ClashQuestion = lazyPrompt(async () => (await import('./clash-prompt.tsx')).ClashPrompt)
export const ChooseFolder = lazyPrompt(
  async () => (await import('../../files/actions/prompts/choose-folder-prompt.tsx')).ChooseFolderPrompt,
)
