import { useState } from 'react'
import { mayDo } from '../../../../src/domain/access/permissions.ts'
import { readableFormat } from '../../../../src/domain/files/archives/archive-format.ts'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { usePermissions } from '../../api/permissions.ts'
import { FilesPage } from '../../files/list/files-page.tsx'
import { useRecentFile } from '../../files/list/listing/recent-visits.ts'
import { ListingSkeleton } from '../../files/list/listing-skeleton.tsx'
import { useTextPart } from '../../i18n/use-text.tsx'
import { lazyComponent } from '../../kit/lazy-component.tsx'
import { useSearchValue } from '../../lib/navigation/navigation.tsx'
import { Breadcrumbs } from '../../shell/header/breadcrumbs.tsx'

const ViewerScreen = lazyComponent(async () => (await import('./file-screen.tsx')).FileScreen, ListingSkeleton)
const ArchiveScreen = lazyComponent(async () => (await import('./archive-screen.tsx')).ArchiveScreen, ListingSkeleton)
const EditorScreen = lazyComponent(
  async () => (await import('../../editor/editor-page.tsx')).EditorPage,
  ListingSkeleton,
)

const StorageScreen = lazyComponent(async () => (await import('../../files/storage/storage-page.tsx')).StoragePage)

const QuickLook = lazyComponent(async () => (await import('../../viewer/quick-look.tsx')).QuickLook)

/** Shows the folder or file of the address, or with `?storage` what takes the room in the folder. */
export function FilesScreen() {
  if (useSearchValue('storage') !== undefined) return <StorageScreen />
  return <FilesPage Crumbs={Breadcrumbs} FileScreen={FileScreen} QuickLook={QuickLook} />
}

interface FileScreenProps {
  readonly file: Resource
  readonly path: VirtualPath
}

/**
 * Text files open in the editor, archives like folders, all others in the viewer; `?edit=true` and `?view=true` override this.
 */
function FileScreen({ file, path }: FileScreenProps) {
  useTextPart('tools')
  useRecentFile(path)
  const edit = useSearchValue('edit')
  const view = useSearchValue('view')
  const mayUnpack = mayDo(usePermissions(), 'archives.read')
  // Decided once: a file that changes on disk must not close the editor while the user is typing.
  const [opened, setOpened] = useState({ path, text: isText(file) })
  if (opened.path !== path) setOpened({ path, text: isText(file) })
  const editing = edit !== undefined || (view === undefined && opened.text)
  if (mayUnpack && view === undefined && readableFormat(file.name) !== undefined)
    return <ArchiveScreen key={path} file={file} path={path} />
  return editing ? <EditorScreen key={path} file={file} path={path} /> : <ViewerScreen file={file} path={path} />
}

/** Tables open in the viewer: they are read more often than edited. */
function isText({ type, extension }: Resource): boolean {
  return type.startsWith('text') && !/^\.[ct]sv$/i.test(extension)
}
