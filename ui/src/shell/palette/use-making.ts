import { parseVirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import type { PaletteItem } from './palette-item.ts'
import type { PaletteSurroundings } from './use-palette-items.ts'

/** What can be put into the open folder. */
export function useMaking({ path, files, pick }: PaletteSurroundings): Omit<PaletteItem, 'id' | 'section'>[] {
  const t = useText()
  const mayCreate = useUser()?.perm.create ?? false
  if (path === undefined || !mayCreate) return []
  const folder = parseVirtualPath(path.slice(0, path.lastIndexOf('/') + 1))
  const kind = 'action'
  return [
    { kind, label: t('files.newFolder'), icon: 'folder-plus', run: () => void files.make('folder', folder) },
    { kind, label: t('files.newFile'), icon: 'file-plus', run: () => void files.make('file', folder) },
    { kind, label: t('files.uploadFiles'), icon: 'upload', run: () => pick('files', folder) },
    { kind, label: t('files.uploadFolder'), icon: 'upload', run: () => pick('folder', folder) },
  ]
}
