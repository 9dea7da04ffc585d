/** Puts a text on the clipboard. Says whether the browser let it: it does not without TLS, or when it is forbidden. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
