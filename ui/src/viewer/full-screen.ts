/** Of the whole page, so that dialogs and messages stay above the file. */
export function toggleFullScreen(): void {
  const { fullscreenElement, documentElement } = document
  const done = fullscreenElement === null ? documentElement.requestFullscreen() : document.exitFullscreen()
  // Refused where the browser allows none, as in a frame: the viewer covers the page as before.
  done.catch(() => undefined)
}
