import { parseVirtualPath } from '../../../src/domain/virtual-path.ts'
import { useUser } from '../api/session-context.tsx'
import { PaletteHost } from '../features/palette/palette-host.tsx'
import type { PaletteExtra } from '../features/palette/use-palette-items.ts'
import { SearchHost } from '../features/search/search-host.tsx'
import { TerminalHost } from '../features/terminal/terminal-host.tsx'
import { useText } from '../i18n/use-text.tsx'
import { useFilesPath } from '../lib/use-files-path.ts'
import { useWork } from '../work/late-work.tsx'
import { useLateUploads } from './late-uploads.tsx'
import { usePartMissing } from './use-part-missing.ts'

/** What can be called over every screen behind the sign-in. */
export function ToolsRoot() {
  const sayPartMissing = usePartMissing()
  return (
    <>
      <SearchHost onError={sayPartMissing} />
      <TerminalHost onError={sayPartMissing} />
      <PaletteHost extras={useMaking()} />
    </>
  )
}

/** What can be put into the open folder. */
function useMaking(): PaletteExtra[] {
  const t = useText()
  const path = useFilesPath()
  const work = useWork()
  const uploads = useLateUploads()
  const mayCreate = useUser()?.perm.create ?? false
  if (path === undefined || !mayCreate) return []
  const folder = () => parseVirtualPath(path.slice(0, path.lastIndexOf('/') + 1))
  return [
    { kind: 'action', label: t('files.newFolder'), icon: 'folder-plus', run: () => void work.make('folder', folder()) },
    { kind: 'action', label: t('files.newFile'), icon: 'file-plus', run: () => void work.make('file', folder()) },
    { kind: 'action', label: t('files.uploadFiles'), icon: 'upload', run: () => uploads.pick('files', folder()) },
    { kind: 'action', label: t('files.uploadFolder'), icon: 'upload', run: () => uploads.pick('folder', folder()) },
  ]
}
