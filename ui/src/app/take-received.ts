import { ReceivePrompt } from '../files/uploads/receive/receive-prompt.tsx'
import type { Uploads } from '../files/uploads/uploads.ts'
import type { AskPrompt } from '../kit/dialog/prompt-stack.tsx'
import { cacheNames, receivedPlace } from '../worker/messages.ts'
import { createReceivedFiles } from '../worker/received.ts'

/** Takes what another app has sent out of the hands of the service worker, asks for a folder and uploads it there. */
export async function takeReceived(base: string, ask: AskPrompt, uploads: Pick<Uploads, 'take'>): Promise<void> {
  const scope = new URL(`${base}/`, location.href).href
  const files = await createReceivedFiles(caches, cacheNames(scope).received, receivedPlace(scope)).take()
  if (files.length === 0) return
  const folder = await ask(ReceivePrompt, { files })
  if (folder === undefined) return
  const transfer = new DataTransfer()
  for (const file of files) transfer.items.add(file)
  uploads.take(transfer, folder)
}
