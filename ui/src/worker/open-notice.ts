import type { FromWorker } from './messages.ts'
import type { WorkerClients } from './worker-scope.ts'

/** Opens the address of a notification in the most recently used window, or in a new one if none is open. */
export async function openNotice(data: unknown, clients: WorkerClients, scope: string): Promise<void> {
  const address = (data as { readonly href?: string } | null)?.href ?? scope
  const { href } = new URL(address, scope)
  if (!href.startsWith(scope)) return
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  // Windows of share links get no notifications.
  const target = windows.find(({ url }) => url.startsWith(scope) && !url.startsWith(`${scope}share/`))
  if (target === undefined) {
    await clients.openWindow(href)
    return
  }
  target.postMessage({ type: 'go', href } satisfies FromWorker)
  // Browsers reject `focus` unless it follows a user action.
  await target.focus().catch(() => undefined)
}
