import { FilesPage } from '../features/files/files-page.tsx'
import { useUploads } from '../features/uploads/uploads-context.tsx'

/** The files with what they need of the uploads: only the app knows both. */
export function FilesScreen() {
  return <FilesPage uploads={useUploads()} />
}
