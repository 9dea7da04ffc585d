/**
 * Copies a text to the clipboard. Without TLS there is no clipboard API; then it selects the text and runs "copy".
 *
 * @returns whether it worked
 */
export async function copyText(text: string): Promise<boolean> {
  // Undefined without TLS, whatever the types say.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (clipboard === undefined) return copySelected(text)
  try {
    await clipboard.writeText(text)
    return true
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  // Inside an open dialog, which would take the focus back from an element outside it.
  const parent = before?.parentElement ?? document.body
  parent.append(field)
  field.select()
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way without TLS
  const copied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return copied
}

type CopyOutcome = 'copied' | 'denied' | 'unsupported'

/**
 * Copies a text; if that fails, asks for permission and tries again. Pending text is passed to the clipboard as a
 * promise, since some browsers allow copying only during a click.
 *
 * @throws the error that the pending text rejects with
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
    // Callers that await the text see its error.
    blob.catch(() => undefined)
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    return true
  } catch {
    // Not every browser supports this. An error of the text itself shows when it is awaited.
    return false
  }
}

async function permissionState(): Promise<PermissionState | undefined> {
  try {
    return (await navigator.permissions.query({ name: 'clipboard-write' as PermissionName })).state
  } catch {
    // Only some browsers have this permission, and pages without TLS cannot query any.
    return undefined
  }
}
