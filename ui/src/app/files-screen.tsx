import { FilesPage } from '../features/files/files-page.tsx'
import { useLateUploads } from './late-uploads.tsx'

/** The files with what they need of the uploads: only the app knows both. */
export function FilesScreen() {
  return <FilesPage uploads={useLateUploads()} />
}
