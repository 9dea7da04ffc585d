import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useState } from 'react'
import { openPdf } from './open-pdf.ts'

export type PdfState =
  | { readonly status: 'loading' | 'locked' | 'damaged' }
  | { readonly status: 'open'; readonly pages: PDFDocumentProxy }
  | { readonly status: 'failed'; readonly error: Error }

/** The document at an address, for as long as it is shown. */
export function usePdf(url: string): PdfState {
  const [found, setFound] = useState<{ readonly url: string; readonly state: PdfState }>()
  useEffect(() => {
    const pdf = openPdf(url)
    let closed = false
    const tell = (state: PdfState): void => {
      if (!closed) setFound({ url, state })
    }
    pdf.pages.then(
      (pages) => tell({ status: 'open', pages }),
      (reason: unknown) => tell(problemOf(reason)),
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
