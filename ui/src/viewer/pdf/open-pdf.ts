import { getDocument, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist'
import { useEffect, useState } from 'react'

type PdfState =
  | { readonly status: 'loading' | 'locked' | 'damaged' }
  | { readonly status: 'open'; readonly pages: PDFDocumentProxy }
  | { readonly status: 'failed'; readonly error: Error }

/** Opens the document at an address while the component is mounted. */
export function usePdf(url: string): PdfState {
  const [found, setFound] = useState<{ readonly url: string; readonly state: PdfState }>()
  useEffect(() => {
    const pdf = openPdf(url)
    let closed = false
    const update = (state: PdfState): void => {
      if (!closed) setFound({ url, state })
    }
    pdf.pages.then(
      (pages) => update({ status: 'open', pages }),
      (reason: unknown) => update(problemOf(reason)),
    )
    return () => {
      closed = true
      pdf.close()
    }
  }, [url])
  return found?.url === url ? found.state : { status: 'loading' }
}

function problemOf(reason: unknown): PdfState {
  const error = reason instanceof Error ? reason : new Error(String(reason))
  if (error.name === 'PasswordException') return { status: 'locked' }
  if (error.name === 'InvalidPDFException') return { status: 'damaged' }
  return { status: 'failed', error }
}

/** Opens a document and fetches only the parts needed for the visible pages. Scripts in it never run. */
function openPdf(url: string) {
  const port = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module', name: 'pdf' })
  const worker = PDFWorker.create({ port })
  const task = getDocument({
    url,
    worker,
    BinaryDataFactory: PdfData,
    // PDF.js loads these files only if their URLs are set; `PdfData` ignores the value.
    cMapUrl: './',
    standardFontDataUrl: './',
    // The page's content security policy forbids WebAssembly.
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

/** Files that documents rely on: character maps of East Asian scripts and the 14 standard fonts. */
const FILES = import.meta.glob<string>(
  '../../../../node_modules/pdfjs-dist/{cmaps/*.bcmap,standard_fonts/*.pfb,standard_fonts/*.ttf}',
  { query: '?url', import: 'default', eager: true },
)

/** Serves them to PDF.js by name, from our own server. */
class PdfData {
  readonly #urls = new Map(Object.entries(FILES).map(([file, url]) => [file.slice(file.lastIndexOf('/') + 1), url]))

  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    const url = this.#urls.get(filename) ?? this.#urls.get(`${filename}.bcmap`)
    const response = url === undefined ? undefined : await fetch(url)
    if (response?.ok !== true) throw new Error(`PDF.js needs "${filename}", which could not be loaded`)
    return new Uint8Array(await response.arrayBuffer())
  }
}
