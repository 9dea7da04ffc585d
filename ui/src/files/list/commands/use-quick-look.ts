import { useState } from 'react'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useNavigation } from '../../../lib/navigation/navigation.tsx'
import type { Grid } from '../grid/use-grid.ts'
import type { EntryOpener } from './use-open-entry.ts'

/** Props of the preview over the list. */
export interface QuickLookProps {
  readonly folder: VirtualPath
  /** The entry with the focus of the list. */
  readonly entry: Resource
  readonly entries: readonly Resource[]
  readonly onShow: (entry: Resource) => void
  readonly onOpen: () => void
  /** Undefined without the permission. */
  readonly onDownload: (() => void) | undefined
  readonly onFollow: (address: string) => void
  readonly onClose: () => void
}

interface QuickLookOptions {
  readonly folder: VirtualPath
  readonly grid: Grid
  readonly opener: EntryOpener
  /** Gives the keyboard back to the list. */
  readonly focusGrid: () => void
}

/** A preview of the focused entry, which the keys of the list show and hide. */
export function useQuickLook({ folder, grid, opener, focusGrid }: QuickLookOptions) {
  const { history } = useNavigation()
  const [open, setOpen] = useState(false)
  const { state, entries, entryOf, send } = grid
  const entry = !open || state.focus === null ? undefined : entryOf(state.focus)
  const props: QuickLookProps | undefined = entry && {
    folder,
    entry,
    entries,
    onShow: ({ name }) => send({ kind: 'click', name, toggle: false, extend: false }),
    onOpen: () => opener.open(entry),
    onDownload: opener.download && (() => opener.download?.(entry)),
    onFollow: (address) => history.push(address),
    onClose: () => {
      setOpen(false)
      focusGrid()
    },
  }
  const toggle = (): void => setOpen((shown) => !shown)
  return { props, toggle }
}
