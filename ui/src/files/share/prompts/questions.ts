import { lazyPrompt } from '../../../kit/dialog/prompt-stack.tsx'

/** Each dialog is fetched when it is first asked for. */
export const EditShareQuestion = lazyPrompt(async () => (await import('./edit-share-prompt.tsx')).EditSharePrompt)
export const DeleteSharesQuestion = lazyPrompt(
  async () => (await import('./delete-shares-prompt.tsx')).DeleteSharesPrompt,
)
export const ShareQr = lazyPrompt(async () => (await import('./share-qr-prompt.tsx')).ShareQrPrompt)
