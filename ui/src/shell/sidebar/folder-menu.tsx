import { useEffect } from 'react'
import { getResource } from '../../../../src/api/files/files.ts'
import { createNameOrder } from '../../../../src/domain/files/name-order.ts'
import { childOf, nameOf, parentOf, ROOT, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { folderName } from '../../common/where.ts'
import { useClient } from '../../api/client.ts'
import type { SavedFolders } from '../../api/own-account.ts'
import { useText } from '../../i18n/use-text.tsx'
import { type MenuAnchor, type MenuEntry, useMenus } from '../../kit/menu/menu.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { copyText } from '../../lib/copy-text.ts'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import { useFavourites } from '../../files/list/commands/folder-menus.ts'

const MAX_SIBLINGS = 200

/** The requested menu: the actions of a folder, or its sibling folders. */
export type RequestedMenu =
  | { readonly kind: 'folder'; readonly folder: VirtualPath; readonly anchor: MenuAnchor }
  | { readonly kind: 'siblings'; readonly folder: VirtualPath; readonly element: HTMLElement }

/** Opens the requested menu. */
export function FolderMenu({ saved, requested }: { readonly saved: SavedFolders; readonly requested: RequestedMenu }) {
  const menuOf = useFolderMenu(saved)
  const siblingsOf = useSiblingsMenu()
  useEffect(() => {
    if (requested.kind === 'folder') return menuOf(requested.folder, requested.anchor)
    const leaving = new AbortController()
    void siblingsOf(requested.folder, requested.element, leaving.signal)
    return () => leaving.abort()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each request
  }, [requested])
  return null
}

function useFolderMenu(saved: SavedFolders): (folder: VirtualPath, anchor: MenuAnchor) => void {
  const t = useText()
  const menus = useMenus()
  const toasts = useToasts()
  const navigateTo = useNavigateTo()
  const favouriteOf = useFavourites(saved)
  return (folder, anchor) => {
    const entries: MenuEntry[] = [
      { kind: 'heading', label: folderName(t, folder) },
      { label: t('files.open'), icon: 'folder', run: () => navigateTo(appPathOf(folder)) },
      favouriteOf(folder),
      {
        label: t('shell.copyPath'),
        icon: 'copy',
        run: () =>
          void copyText(folder).then((copied) =>
            copied ? toasts.success(t('shell.pathCopied')) : toasts.error(t('shell.pathNotCopied')),
          ),
      },
    ]
    menus.open({ label: t('shell.folderMenu'), anchor, entries })
  }
}

/** Opens a menu of sibling folders. */
function useSiblingsMenu(): (folder: VirtualPath, element: HTMLElement, signal: AbortSignal) => Promise<void> {
  const t = useText()
  const client = useClient()
  const menus = useMenus()
  const toasts = useToasts()
  const navigateTo = useNavigateTo()
  return async (folder, element, signal) => {
    const parent = parentOf(folder)
    try {
      const found = await client.call(getResource, { params: { '*': withSlash(parent) }, signal })
      const names = 'items' in found ? found.items.filter(({ isDir }) => isDir).map(({ name }) => name) : []
      const entries = names
        .toSorted(createNameOrder())
        .slice(0, MAX_SIBLINGS)
        .map((name): MenuEntry => {
          const path = childOf(parent, name)
          return { kind: 'choice', label: name, checked: path === folder, run: () => navigateTo(appPathOf(path)) }
        })
      // The user may have opened another folder meanwhile.
      if (!element.isConnected) return
      menus.open({ label: t('shell.siblings', { name: nameOf(folder) }), anchor: { element, align: 'start' }, entries })
    } catch {
      if (!signal.aborted) toasts.error(t('shell.siblingsFailed'))
    }
  }
}

function withSlash(folder: VirtualPath): string {
  return folder === ROOT ? folder : `${folder}/`
}

function appPathOf(folder: VirtualPath): string {
  return filesHref(withSlash(folder))
}
