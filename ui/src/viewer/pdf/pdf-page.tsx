import { type PageViewport, type PDFDocumentProxy, type PDFPageProxy, TextLayer } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import styles from './pdf.module.css'

/** The size of a page in points. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

interface PdfPageProps {
  readonly pages: PDFDocumentProxy
  /** From 1. */
  readonly number: number
  /** CSS pixels per point. */
  readonly scale: number
  readonly size: PageSize
  readonly label: string
  readonly onSize: (number: number, size: PageSize) => void
}

/** The canvas limit of phones. */
const MAX_PIXELS = 16_000_000

/** One page: its picture, and over it the text for selection and screen readers. */
export function PdfPage({ pages, number, scale, size, label, onSize }: PdfPageProps) {
  const picture = useRef<HTMLDivElement>(null)
  const textLayer = useRef<HTMLDivElement>(null)
  const [page, setPage] = useState<PDFPageProxy>()
  useEffect(() => {
    let unmounted = false
    void pages.getPage(number).then(
      (found) => {
        if (unmounted) return
        const { width, height } = found.getViewport({ scale: 1 })
        onSize(number, { width, height })
        setPage(found)
      },
      // A broken page stays white; the others can still be read.
      () => undefined,
    )
    return () => {
      unmounted = true
    }
  }, [pages, number, onSize])
  useEffect(() => {
    if (page === undefined || picture.current === null) return
    return draw(page, page.getViewport({ scale }), picture.current)
  }, [page, scale])
  useEffect(() => {
    const container = textLayer.current
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
      <div ref={picture} className={styles['picture']} aria-hidden="true" />
      <div ref={textLayer} className={styles['letters']} style={{ '--total-scale-factor': scale } as never} />
    </div>
  )
}

/** Draws off-screen and replaces the picture when it is complete, so zooming does not flicker. */
function draw(page: PDFPageProxy, viewport: PageViewport, container: HTMLElement): () => void {
  const pixelRatio = Math.min(devicePixelRatio, Math.sqrt(MAX_PIXELS / (viewport.width * viewport.height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.floor(viewport.width * pixelRatio))
  canvas.height = Math.max(1, Math.floor(viewport.height * pixelRatio))
  const task = page.render({ canvas, viewport, transform: [pixelRatio, 0, 0, pixelRatio, 0, 0] })
  task.promise.then(() => container.replaceChildren(canvas), ignoreCancelling)
  return () => task.cancel()
}

/** Scrolling on or zooming cancels the drawing. */
function ignoreCancelling(): void {
  return
}
