import type { ViewedFile } from '../file/viewed-file.ts'
import { framePage } from './frame-page.ts'
import { openDocument } from './open-document.ts'
import { OpenedDocument } from './opened-document.tsx'
import styles from './document.module.css'

/**
 * A text document or presentation, as a page in a frame. The sandbox gives it an origin of its own and no scripts: what a document
 * contains can neither act as its reader nor tell anyone that it is read.
 */
export function DocumentStage(viewed: ViewedFile) {
  const { name } = viewed.file
  return (
    <OpenedDocument
      viewed={viewed}
      open={async (bytes) => framePage(await openDocument(bytes, name))}
      draw={(page) => (
        <iframe
          className={styles['frame']}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={page}
          title={name}
        />
      )}
    />
  )
}
