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
