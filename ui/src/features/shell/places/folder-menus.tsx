import { useEffect, useRef } from 'react'
import { getResource } from '../../../../../src/api/files.ts'
import {
  childOf,
  nameOf,
  parentOf,
  parseVirtualPath,
  ROOT,
  type VirtualPath,
} from '../../../../../src/domain/virtual-path.ts'
import { useClient } from '../../../api/client-context.tsx'
import type { Places } from '../../../api/use-places.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { type MenuAnchor, type MenuEntry, useMenus } from '../../../kit/menu.tsx'
import { useToasts } from '../../../kit/toast.tsx'
import { filesHref } from '../../../lib/app-path.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { useNavigateTo } from '../../../lib/use-navigate-to.ts'
import { useFavourites } from '../../../work/use-favourites.ts'

const MOST_SIBLINGS = 200

/** The menus of whatever stands for a folder in the frame of the page: `data-folder`, and `data-siblings` beside it. */
export function FolderMenus({ places }: { readonly places: Places }) {
  const menuOf = useFolderMenu(places)
  const siblingsOf = useSiblingsMenu()
  const latest = useRef({ menuOf, siblingsOf })
  useEffect(() => {
    latest.current = { menuOf, siblingsOf }
  })
  useEffect(() => {
    const listening = new AbortController()
    const contextMenu = (event: MouseEvent): void => {
      const element = closest(event.target, '[data-folder], [role="complementary"] [role="treeitem"]')
      const path = element?.dataset['folder'] ?? element?.dataset['path']
      if (element === null || path === undefined) return
      event.preventDefault()
      const anchor = event.clientX === 0 ? { element, align: 'start' as const } : { x: event.clientX, y: event.clientY }
      latest.current.menuOf(parseVirtualPath(path), { ...anchor, ...('x' in anchor && { returnTo: element }) })
    }
    const click = (event: MouseEvent): void => {
      const element = closest(event.target, '[data-siblings]')
      const path = element?.dataset['siblings']
      if (element !== null && path !== undefined) void latest.current.siblingsOf(parseVirtualPath(path), element)
    }
    addEventListener('contextmenu', contextMenu, listening)
    addEventListener('click', click, listening)
    return () => listening.abort()
  }, [])
  return null
}

function useFolderMenu(places: Places): (folder: VirtualPath, anchor: MenuAnchor) => void {
  const t = useText()
  const menus = useMenus()
  const toasts = useToasts()
  const navigateTo = useNavigateTo()
  const favouriteOf = useFavourites(places)
  return (folder, anchor) => {
    const entries: MenuEntry[] = [
      { kind: 'heading', label: nameOf(folder) || t('shell.myFiles') },
      { label: t('shell.openFolder'), icon: 'folder', run: () => navigateTo(placeOf(folder)) },
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

/** The folders beside one, to go on to. */
function useSiblingsMenu(): (folder: VirtualPath, element: HTMLElement) => Promise<void> {
  const t = useText()
  const client = useClient()
  const menus = useMenus()
  const toasts = useToasts()
  const navigateTo = useNavigateTo()
  return async (folder, element) => {
    const parent = parentOf(folder)
    try {
      const found = await client.call(getResource, { params: { '*': placePath(parent) } })
      const names = 'items' in found ? found.items.filter(({ isDir }) => isDir).map(({ name }) => name) : []
      const entries = (await sorted(names)).slice(0, MOST_SIBLINGS).map((name): MenuEntry => {
        const path = childOf(parent, name)
        return { kind: 'choice', label: name, checked: path === folder, run: () => navigateTo(placeOf(path)) }
      })
      menus.open({ label: t('shell.siblings', { name: nameOf(folder) }), anchor: { element, align: 'start' }, entries })
    } catch {
      toasts.error(t('shell.siblingsFailed'))
    }
  }
}

async function sorted(names: readonly string[]): Promise<string[]> {
  const { compareBytes, naturalKey } = await import('../../../../../src/domain/natural-order.ts')
  const keyed = names.map((name) => ({ name, key: naturalKey(name.toLowerCase()) }))
  return keyed.sort((a, b) => compareBytes(a.key, b.key)).map(({ name }) => name)
}

function placePath(folder: VirtualPath): string {
  return folder === ROOT ? folder : `${folder}/`
}

function placeOf(folder: VirtualPath): string {
  return filesHref(placePath(folder))
}

function closest(target: EventTarget | null, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null
}
