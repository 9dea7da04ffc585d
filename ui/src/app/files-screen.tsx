import { FilesPage } from '../features/files/files-page.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { useLateUploads } from './late-uploads.tsx'

const FileScreen = lazyPart(async () => (await import('./file-screen.tsx')).FileScreen)

/** The files with what they need of others: only the app knows the uploads and the viewer. */
export function FilesScreen() {
  return <FilesPage uploads={useLateUploads()} FileScreen={FileScreen} />
}
