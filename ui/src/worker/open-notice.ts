import type { FromWorker } from './messages.ts'
import type { WorkerClients } from './worker-scope.ts'

/** Shows what a notification is about: in the window that was used last, or in a new one where none is open any more. */
export async function openNotice(data: unknown, clients: WorkerClients, scope: string): Promise<void> {
  const asked = (data as { readonly href?: string } | null)?.href ?? scope
  const { href } = new URL(asked, scope)
  if (!href.startsWith(scope)) return
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  // Visitors of a link hear of nothing.
  const ours = windows.find(({ url }) => url.startsWith(scope) && !url.startsWith(`${scope}share/`))
  if (ours === undefined) {
    await clients.openWindow(href)
    return
  }
  ours.postMessage({ type: 'go', href } satisfies FromWorker)
  await ours.focus().catch(ignoreRefusal)
}

/** Browsers let a window come to the front only right after a press. */
function ignoreRefusal(): void {
  return
}
