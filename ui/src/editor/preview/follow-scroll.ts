import type { Ace } from 'ace-builds'

/** Scrolls an editor and its preview together, whichever is scrolled. @returns a function that stops it */
export function followScroll(editor: Ace.Editor, box: HTMLElement): () => void {
  const lengthOfCode = (): number =>
    editor.session.getScreenLength() * editor.renderer.lineHeight - editor.container.clientHeight
  const lengthOfBox = (): number => box.scrollHeight - box.clientHeight
  // Positions set by this function: the scroll events they cause are ignored.
  let boxTarget = -1
  let codeTarget = -1
  const fromCode = (): void => {
    const top = editor.session.getScrollTop()
    if (Math.abs(top - codeTarget) < 2) return
    codeTarget = -1
    boxTarget = positionAt(progressOf(top, lengthOfCode()), lengthOfBox())
    box.scrollTop = boxTarget
  }
  const fromBox = (): void => {
    if (Math.abs(box.scrollTop - boxTarget) < 2) return
    boxTarget = -1
    codeTarget = positionAt(progressOf(box.scrollTop, lengthOfBox()), lengthOfCode())
    editor.session.setScrollTop(codeTarget)
  }
  editor.session.on('changeScrollTop', fromCode)
  box.addEventListener('scroll', fromBox, { passive: true })
  return () => {
    editor.session.off('changeScrollTop', fromCode)
    box.removeEventListener('scroll', fromBox)
  }
}

/** The scroll position as a fraction from 0 to 1; 0 when everything is visible. */
export function progressOf(top: number, length: number): number {
  return length <= 0 ? 0 : Math.min(Math.max(top / length, 0), 1)
}

/** The scroll position in pixels for a fraction. */
export function positionAt(progress: number, length: number): number {
  return Math.round(progress * Math.max(length, 0))
}
