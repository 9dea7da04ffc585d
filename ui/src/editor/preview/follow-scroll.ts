import type { Ace } from 'ace-builds'

/** Scrolls an editor and its preview together, whichever is scrolled. @returns a function that stops it */
export function followScroll(editor: Ace.Editor, box: HTMLElement): () => void {
  const lengthOfCode = (): number =>
    editor.session.getScreenLength() * editor.renderer.lineHeight - editor.container.clientHeight
  const lengthOfBox = (): number => box.scrollHeight - box.clientHeight
  // Positions set by this function: the scroll events they cause are ignored.
  let boxPut = -1
  let codePut = -1
  const fromCode = (): void => {
    const top = editor.session.getScrollTop()
    if (Math.abs(top - codePut) < 2) return
    codePut = -1
    boxPut = positionAt(progressOf(top, lengthOfCode()), lengthOfBox())
    box.scrollTop = boxPut
  }
  const fromBox = (): void => {
    if (Math.abs(box.scrollTop - boxPut) < 2) return
    boxPut = -1
    codePut = positionAt(progressOf(box.scrollTop, lengthOfBox()), lengthOfCode())
    editor.session.setScrollTop(codePut)
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
