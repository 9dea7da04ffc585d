import { lazyPart } from '../../kit/lazy-part.tsx'
import type { ViewedFile } from '../viewed-file.ts'
import { useFileUrls } from '../use-file-urls.ts'
import styles from './pdf-stage.module.css'

const PdfPages = lazyPart(async () => (await import('./pdf-pages.tsx')).PdfPages)

/**
 * A PDF in the viewer that the browser brings along, which runs the document in a process of its own. It works in no
 * sandboxed frame, so the frame has none; the server forbids every script of the answer instead.
 */
export function PdfStage(viewed: ViewedFile) {
  const { file, path } = viewed
  const urls = useFileUrls()
  if (!navigator.pdfViewerEnabled) return <PdfPages {...viewed} />
  return <iframe className={styles['frame']} src={urls.raw(path)} title={file.name} />
}
