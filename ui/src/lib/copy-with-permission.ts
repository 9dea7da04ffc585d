import { copyText } from './copy-text.ts'

export type CopyOutcome = 'copied' | 'denied' | 'unsupported'

/**
 * Puts a text on the clipboard; when that fails, asks the browser for the permission and tries once more. A text that is
 * still on its way is promised to the clipboard at once: some browsers let a page copy in the moment of a press only.
 *
 * @throws what the text that is on its way is refused with
 */
export async function copyWithPermission(text: string | Promise<string>): Promise<CopyOutcome> {
  if (typeof text !== 'string' && (await copyPromised(text))) return 'copied'
  const ready = await text
  if (await copyText(ready)) return 'copied'
  if ((await permissionState()) === 'denied') return 'denied'
  return (await copyText(ready)) ? 'copied' : 'unsupported'
}

async function copyPromised(text: Promise<string>): Promise<boolean> {
  try {
    const blob = text.then((ready) => new Blob([ready], { type: 'text/plain' }))
    blob.catch(ignore)
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    // Not every browser can; whether there will be a text at all shows when it is waited for.
    return false
  }
}

async function permissionState(): Promise<PermissionState | undefined> {
  try {
    return (await navigator.permissions.query({ name: 'clipboard-write' as PermissionName })).state
  } catch {
    // Only some browsers know this permission, and pages without TLS cannot ask for any.
    return undefined
  }
}

/** Callers who wait for the text are told. */
function ignore(): void {
  return undefined
}
