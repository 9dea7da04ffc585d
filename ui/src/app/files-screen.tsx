import { FilesPage } from '../files/list/files-page.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'

const FileScreen = lazyPart(async () => (await import('./file-switch.tsx')).FileSwitch)

/** The file list, and the viewer or editor where the address names a file. */
export function FilesScreen() {
  return <FilesPage FileScreen={FileScreen} />
}
