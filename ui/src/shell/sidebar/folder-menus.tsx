import { useEffect, useState } from 'react'
import { parseVirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { SavedFolders } from '../../api/own-account.ts'
import { LazyBoundary, lazyComponent } from '../../kit/lazy-component.tsx'
import { useReportLoadFailure } from '../../common/use-report-load-failure.ts'
import type { RequestedMenu } from './folder-menu.tsx'

const FolderMenu = lazyComponent(async () => (await import('./folder-menu.tsx')).FolderMenu)

/** Context menus for folder links in the layout: elements with `data-folder` or `data-siblings`. */
export function FolderMenus({ saved }: { readonly saved: SavedFolders }) {
  const reportLoadFailure = useReportLoadFailure()
  const [requested, setRequested] = useState<RequestedMenu | null>(null)
  useEffect(() => {
    const listening = new AbortController()
    const contextMenu = (event: MouseEvent): void => {
      const element = closest(event.target, '[data-folder], [role="complementary"] [role="treeitem"]')
      const path = element?.dataset['folder'] ?? element?.dataset['path']
      if (element === null || path === undefined) return
      event.preventDefault()
      const { clientX: x, clientY: y } = event
      const anchor = x === 0 ? { element, align: 'start' as const } : { x, y, returnTo: element }
      setRequested({ kind: 'folder', folder: parseVirtualPath(path), anchor })
    }
    const click = (event: MouseEvent): void => {
      const element = closest(event.target, '[data-siblings]')
      const path = element?.dataset['siblings']
      if (element !== null && path !== undefined)
        setRequested({ kind: 'siblings', folder: parseVirtualPath(path), element })
    }
    addEventListener('contextmenu', contextMenu, listening)
    addEventListener('click', click, listening)
    return () => listening.abort()
  }, [])
  if (requested === null) return null
  const giveUp = (): void => {
    setRequested(null)
    reportLoadFailure()
  }
  return (
    <LazyBoundary onError={giveUp}>
      <FolderMenu saved={saved} requested={requested} />
    </LazyBoundary>
  )
}

function closest(target: EventTarget | null, selector: string): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(selector) : null
}
