import { useEffect, useRef, useState } from 'react'
import type { Chapter } from './chapter.ts'

export interface Pages {
  readonly page: number
  readonly count: number
}

interface PageFrameProps {
  readonly chapter: Chapter
  readonly title: string
  readonly className: string | undefined
  /** Percent of the browser's default. */
  readonly fontSize: number
  /** Initial position in the chapter: a fraction from 0 to 1, or the id of an element. */
  readonly start: number | string
  readonly turn: { readonly to: number } | null
  readonly onPages: (pages: Pages) => void
  readonly onLink: (address: string) => void
}

const EMPTY = '<!doctype html><html><head><meta charset="utf-8"></head><body></body></html>'
const MAX_TEXT_WIDTH = 680

/**
 * One chapter, split into pages as wide as the frame. The sandbox allows `allow-same-origin` alone, so this page can
 * measure and scroll it. With `allow-scripts` as well a book could run scripts as the user.
 */
export function PageFrame(props: PageFrameProps) {
  const { chapter, title, className, fontSize, start, turn, onPages, onLink } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const [ready, setReady] = useState(false)
  const fraction = useRef(0)
  const callbacks = useRef({ onPages, onLink })
  useEffect(() => {
    callbacks.current = { onPages, onLink }
  })
  useEffect(() => {
    const page = frame.current?.contentDocument
    if (!ready || !page) return
    fill(page, chapter)
    fraction.current = typeof start === 'number' ? start : fractionOf(page, start)
    const open = (event: Event): void => {
      const anchor = event.target instanceof Node ? closestLink(event.target) : null
      if (anchor === null) return
      event.preventDefault()
      callbacks.current.onLink(anchor)
    }
    const forwardKey = (event: KeyboardEvent): void => {
      // Keys pressed in the frame are meant for the viewer around it.
      if (!window.dispatchEvent(new KeyboardEvent('keydown', event))) event.preventDefault()
    }
    page.addEventListener('click', open)
    page.addEventListener('keydown', forwardKey)
    return () => {
      page.removeEventListener('click', open)
      page.removeEventListener('keydown', forwardKey)
    }
  }, [ready, chapter, start])
  useEffect(() => {
    const page = frame.current?.contentDocument
    if (!ready || !page) return
    const layOut = (): void =>
      callbacks.current.onPages(goTo(page, layOutPages(page, chapter, fontSize), fraction.current))
    layOut()
    const observer = new ResizeObserver(layOut)
    if (frame.current) observer.observe(frame.current)
    const pictures = [...page.images]
    for (const picture of pictures) picture.addEventListener('load', layOut)
    return () => {
      observer.disconnect()
      for (const picture of pictures) picture.removeEventListener('load', layOut)
    }
  }, [ready, chapter, fontSize, start])
  useEffect(() => {
    const page = frame.current?.contentDocument
    if (turn === null || !ready || !page) return
    const count = countPages(page)
    fraction.current = count <= 1 ? 0 : turn.to / (count - 1)
    callbacks.current.onPages(goTo(page, count, fraction.current))
  }, [ready, turn])
  return (
    <iframe
      ref={frame}
      className={className}
      sandbox="allow-same-origin"
      srcDoc={EMPTY}
      title={title}
      onLoad={() => setReady(true)}
    />
  )
}

function fill(page: Document, chapter: Chapter): void {
  page.documentElement.lang = chapter.language
  page.documentElement.dir = chapter.direction
  page.body.innerHTML = chapter.html
}

/** Uses constructed style sheets, since the content security policy forbids inline styles. */
function layOutPages(page: Document, chapter: Chapter, fontSize: number): number {
  const view = page.defaultView
  if (view === null) return 1
  const { clientWidth: width } = page.documentElement
  const margin = Math.max(24, Math.round((width - MAX_TEXT_WIDTH) / 2))
  const own = new view.CSSStyleSheet()
  own.replaceSync(`
    :root { color-scheme: light; background: #fff; color: #1a2230; font: ${fontSize}%/1.6 Georgia, 'Times New Roman', serif; overflow: hidden; block-size: 100%; }
    body { box-sizing: border-box !important; block-size: 100vh !important; margin: 0 !important; padding: 32px ${margin}px !important; column-width: ${width - 2 * margin}px; column-gap: ${2 * margin}px; column-fill: auto; overflow-wrap: anywhere; }
    img { max-inline-size: 100%; max-block-size: calc(100vh - 80px); object-fit: contain; }
    pre, table { white-space: pre-wrap; }
    a[href] { color: #1558d6; }`)
  const ofBook = new view.CSSStyleSheet()
  ofBook.replaceSync(chapter.styles)
  page.adoptedStyleSheets = [ofBook, own]
  return countPages(page)
}

function countPages(page: Document): number {
  const { scrollWidth, clientWidth } = page.documentElement
  return Math.max(1, Math.round(Math.max(scrollWidth, page.body.scrollWidth) / Math.max(1, clientWidth)))
}

function goTo(page: Document, count: number, fraction: number): Pages {
  const index = Math.round(fraction * (count - 1))
  const rightToLeft = page.defaultView?.getComputedStyle(page.body).direction === 'rtl'
  const { documentElement: root } = page
  root.scrollLeft = index * root.clientWidth * (rightToLeft ? -1 : 1)
  return { page: index, count }
}

function fractionOf(page: Document, id: string): number {
  const element = page.getElementById(id)
  const count = countPages(page)
  if (element === null || count <= 1) return 0
  const at = Math.abs(element.getBoundingClientRect().left + page.documentElement.scrollLeft)
  return Math.min(1, Math.floor(at / page.documentElement.clientWidth) / (count - 1))
}

/** `instanceof Element` is false here: the frame has its own `Element` class. */
function closestLink(target: Node): string | null {
  const element = target.nodeType === Node.ELEMENT_NODE ? (target as Element) : target.parentElement
  return element?.closest('a[href]')?.getAttribute('href') ?? null
}
