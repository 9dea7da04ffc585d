const FADE = 200

/** Fades out what covered the page while it loaded. */
export function removeLoadingOverlay(page: Document): void {
  const overlay = page.getElementById('loading')
  if (overlay === null) return
  overlay.dataset['done'] = ''
  setTimeout(() => overlay.remove(), FADE)
}
