import { getDocument, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist'
import { PdfData } from './pdf-data.ts'

export interface OpenPdf {
  readonly pages: Promise<PDFDocumentProxy>
  close(): void
}

/** Opens a document, of which only those parts are fetched that the pages in view need. Its scripts are never run. */
export function openPdf(url: string): OpenPdf {
  const port = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module', name: 'pdf' })
  const worker = PDFWorker.create({ port })
  const task = getDocument({
    url,
    worker,
    BinaryDataFactory: PdfData,
    // PDF.js asks for them only where it knows a place.
    cMapUrl: './',
    standardFontDataUrl: './',
    // The policy of the page lets no WebAssembly run.
    useWasm: false,
    enableXfa: false,
    disableAutoFetch: true,
    disableStream: true,
  })
  return {
    pages: task.promise,
    close() {
      void task.destroy().finally(() => {
        worker.destroy()
        port.terminate()
      })
    },
  }
}
