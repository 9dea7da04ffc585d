import { FilesPage } from '../files/list/files-page.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { useLateUploads } from './late-uploads.tsx'

const FileScreen = lazyPart(async () => (await import('./file-switch.tsx')).FileSwitch)

/** The files with what they need of others: only the app knows the uploads, the viewer and the editor. */
export function FilesScreen() {
  return <FilesPage uploads={useLateUploads()} FileScreen={FileScreen} />
}
