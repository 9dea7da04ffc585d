import { lazyComponent } from '../../kit/lazy-component.tsx'
import type { ViewedFile } from '../file/viewed-file.ts'
import { useFileUrls } from '../file/file-source.ts'
import styles from './pdf.module.css'

const PdfPages = lazyComponent(async () => (await import('./pdf-pages.tsx')).PdfPages)

/**
 * A PDF in the browser's own viewer, which runs in a separate process. That viewer does not work in a sandboxed frame;
 * instead the server's content security policy forbids scripts in the response.
 */
export function PdfStage(viewed: ViewedFile) {
  const { file, path } = viewed
  const urls = useFileUrls()
  if (!navigator.pdfViewerEnabled) return <PdfPages {...viewed} />
  return <iframe className={styles['frame']} src={urls.raw(path)} title={file.name} />
}
