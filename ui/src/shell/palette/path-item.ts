import { isSharedPath } from '../../../../src/domain/shares/shared-folder.ts'
import { folderName, wayTo } from '../../common/where.ts'
import type { Translate } from '../../i18n/use-text.tsx'
import { kindOfName } from '../../lib/file-kind.ts'
import { filesHref, lastSegment, parentFolder } from '../../lib/navigation/app-path.ts'
import type { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import { plainName } from '../../lib/plain-name.ts'
import type { PaletteItem } from './palette-item.ts'

export type GoTo = ReturnType<typeof useNavigateTo>

/** Opens a file or folder. @param path not the root; that of a folder ends with a slash */
export function pathItem(t: Translate, path: string, goTo: GoTo): Omit<PaletteItem, 'section'> {
  const name = lastSegment(path)
  const above = parentFolder(path)
  const kind = path.endsWith('/') ? 'folder' : 'file'
  return {
    id: path,
    kind,
    glyph: kind === 'folder' ? kind : (kindOfName(name) ?? 'other'),
    label: folderName(t, path),
    detail:
      above === '/'
        ? undefined
        : isSharedPath(above)
          ? wayTo(t, above)
          : plainName(above.slice(1, -1).replaceAll('/', ' / ')),
    run: () => goTo(filesHref(path)),
    openFolder: () => goTo(filesHref(above), { reveal: name }),
  }
}
