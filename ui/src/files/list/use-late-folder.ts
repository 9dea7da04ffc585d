import { useState } from 'react'
import type { MenuAnchor } from '../../kit/menu/menu.tsx'
import { useWork } from '../actions/late-work.tsx'
import type { Selection } from './model/selection.ts'

export interface FolderMenus {
  /** Of what is selected. */
  ofSelection(selection: Selection, anchor: MenuAnchor): void
  /** Of the folder itself: on empty space, and by its button. */
  ofFolder(anchor: MenuAnchor): void
}

export interface LateFolder extends FolderMenus {
  /** Called once what comes after the first rows is there; what was asked before is done then. */
  ready(menus: FolderMenus): void
}

/** Lets a folder ask for menus while their code is still on its way. */
export function useLateFolder(): LateFolder {
  const work = useWork()
  const [{ promise, resolve }] = useState(() => Promise.withResolvers<FolderMenus>())
  const open = async (show: (menus: FolderMenus) => void): Promise<void> => {
    const { coming } = work
    coming.set((count) => count + 1)
    await work.prepare()
    show(await promise)
    coming.set((count) => count - 1)
  }
  return {
    ready: resolve,
    ofSelection: (...question) => void open((menus) => menus.ofSelection(...question)),
    ofFolder: (anchor) => void open((menus) => menus.ofFolder(anchor)),
  }
}
