import { useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { FilesPage } from '../../files/list/files-page.tsx'
import { useTextPart } from '../../i18n/use-text-part.ts'
import { lazyPart } from '../../kit/lazy-part.tsx'
import { useSearchValue } from '../../lib/navigation/navigation.tsx'

const ViewerScreen = lazyPart(async () => (await import('./file-screen.tsx')).FileScreen)
const EditorScreen = lazyPart(async () => (await import('../../editor/editor-page.tsx')).EditorPage)

/** The folder or the file that the address names. */
export function FilesScreen() {
  return <FilesPage FileScreen={FileScreen} />
}

interface FileScreenProps {
  readonly file: Resource
  readonly path: VirtualPath
}

/** A text opens in the editor, everything else in the viewer; `?edit=true` and `?view=true` ask for one of them. */
function FileScreen({ file, path }: FileScreenProps) {
  useTextPart('tools')
  const edit = useSearchValue('edit')
  const view = useSearchValue('view')
  // A file that changes on the disk meanwhile must not take the editor away from the user who writes in it.
  const [opened, setOpened] = useState({ path, text: isText(file) })
  if (opened.path !== path) setOpened({ path, text: isText(file) })
  const editing = edit !== undefined || (view === undefined && opened.text)
  return editing ? <EditorScreen key={path} file={file} path={path} /> : <ViewerScreen file={file} path={path} />
}

/** A table is read more often than it is written. */
function isText({ type, extension }: Resource): boolean {
  return type.startsWith('text') && !/^\.[ct]sv$/i.test(extension)
}
