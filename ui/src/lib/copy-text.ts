/**
 * Puts a text on the clipboard of the system. Pages that come without TLS have no clipboard of their own: they copy what
 * is selected, as people do.
 *
 * @returns whether it worked
 */
export async function copyText(text: string): Promise<boolean> {
  // Browsers leave it out of pages that come without TLS, whatever the types say.
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
  // Within the dialog, which would take the focus back from anywhere else.
  const place = before?.parentElement ?? document.body
  place.append(field)
  field.select()
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way without TLS
  const copied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return copied
}

type CopyOutcome = 'copied' | 'denied' | 'unsupported'

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
