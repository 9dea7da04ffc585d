import { ReceiveQuestion } from '../files/uploads/receive/ask-receive.ts'
import type { AskPrompt } from '../kit/dialog/prompt-stack.tsx'
import { cacheNames, receivedPlace } from '../worker/messages.ts'
import { createReceivedFiles } from '../worker/received.ts'
import type { LateUploads } from './late-uploads.tsx'

/** Takes what another app has sent out of the hands of the service worker, asks for a folder and uploads it there. */
export async function takeReceived(base: string, ask: AskPrompt, uploads: LateUploads): Promise<void> {
  const scope = new URL(`${base}/`, location.href).href
  const files = await createReceivedFiles(caches, cacheNames(scope).received, receivedPlace(scope)).take()
  if (files.length === 0) return
  const folder = await ask(ReceiveQuestion, { files })
  if (folder === undefined) return
  const transfer = new DataTransfer()
  for (const file of files) transfer.items.add(file)
  uploads.take(transfer, folder)
}
