import type { Ace } from 'ace-builds'
import { placeAt, progressOf } from './scroll-progress.ts'

/** Keeps an editor and a box at the same part of what they show, whoever of them is scrolled. @returns what ends it */
export function followScroll(editor: Ace.Editor, box: HTMLElement): () => void {
  const lengthOfCode = (): number =>
    editor.session.getScreenLength() * editor.renderer.lineHeight - editor.container.clientHeight
  const lengthOfBox = (): number => box.scrollHeight - box.clientHeight
  // Where each was put by the other: arriving there is no scrolling of its own.
  let boxPut = -1
  let codePut = -1
  const fromCode = (): void => {
    const top = editor.session.getScrollTop()
    if (Math.abs(top - codePut) < 2) return
    codePut = -1
    boxPut = placeAt(progressOf(top, lengthOfCode()), lengthOfBox())
    box.scrollTop = boxPut
  }
  const fromBox = (): void => {
    if (Math.abs(box.scrollTop - boxPut) < 2) return
    boxPut = -1
    codePut = placeAt(progressOf(box.scrollTop, lengthOfBox()), lengthOfCode())
    editor.session.setScrollTop(codePut)
  }
  editor.session.on('changeScrollTop', fromCode)
  box.addEventListener('scroll', fromBox, { passive: true })
  return () => {
    editor.session.off('changeScrollTop', fromCode)
    box.removeEventListener('scroll', fromBox)
  }
}
