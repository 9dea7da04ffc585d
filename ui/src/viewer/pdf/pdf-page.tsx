import { type PageViewport, type PDFDocumentProxy, type PDFPageProxy, TextLayer } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import styles from './pdf-pages.module.css'

/** Of a page, in points of the document. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

interface PdfPageProps {
  readonly pages: PDFDocumentProxy
  /** From 1. */
  readonly number: number
  /** Pixels of the page for each point. */
  readonly scale: number
  readonly size: PageSize
  readonly label: string
  readonly onSize: (number: number, size: PageSize) => void
}

/** Phones give a canvas no more. */
const MOST_PIXELS = 16_000_000

/** One page: its picture, and over it the letters, which can be selected and are read aloud. */
export function PdfPage({ pages, number, scale, size, label, onSize }: PdfPageProps) {
  const place = useRef<HTMLDivElement>(null)
  const letters = useRef<HTMLDivElement>(null)
  const [page, setPage] = useState<PDFPageProxy>()
  useEffect(() => {
    let gone = false
    void pages.getPage(number).then(
      (found) => {
        if (gone) return
        const { width, height } = found.getViewport({ scale: 1 })
        onSize(number, { width, height })
        setPage(found)
      },
      // The page stays white; the others can still be read.
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [pages, number, onSize])
  useEffect(() => {
    if (page === undefined || place.current === null) return
    return draw(page, page.getViewport({ scale }), place.current)
  }, [page, scale])
  useEffect(() => {
    const container = letters.current
    if (page === undefined || container === null) return
    const layer = new TextLayer({
      textContentSource: page.streamTextContent(),
      container,
      viewport: page.getViewport({ scale: 1 }),
    })
    layer.render().catch(ignoreCancelling)
    return () => {
      layer.cancel()
      container.replaceChildren()
    }
  }, [page])
  return (
    <div
      className={styles['page']}
      role="group"
      aria-label={label}
      style={{ inlineSize: size.width * scale, blockSize: size.height * scale }}
    >
      <div ref={place} className={styles['picture']} aria-hidden="true" />
      <div ref={letters} className={styles['letters']} style={{ '--total-scale-factor': scale } as never} />
    </div>
  )
}

/** Draws beside what is shown and puts it in its place when it is complete, so that zooming does not flicker. */
function draw(page: PDFPageProxy, viewport: PageViewport, place: HTMLElement): () => void {
  const fine = Math.min(devicePixelRatio, Math.sqrt(MOST_PIXELS / (viewport.width * viewport.height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.floor(viewport.width * fine))
  canvas.height = Math.max(1, Math.floor(viewport.height * fine))
  const task = page.render({ canvas, viewport, transform: [fine, 0, 0, fine, 0, 0] })
  task.promise.then(() => place.replaceChildren(canvas), ignoreCancelling)
  return () => task.cancel()
}

/** Whoever scrolls on or zooms needs no more of it. */
function ignoreCancelling(): void {
  return
}
