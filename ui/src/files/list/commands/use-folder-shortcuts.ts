import { useText } from '../../../i18n/use-text.tsx'
import { useShortcuts } from '../../../kit/keyboard/shortcuts.tsx'
import type { Grid } from '../grid/use-grid.ts'

interface FolderShortcutsOptions {
  readonly grid: Grid
  readonly openParent: () => void
}

/** Keys that work wherever the focus is. Those without `run` are handled by the grid and only listed in the help. */
export function useFolderShortcuts({ grid, openParent }: FolderShortcutsOptions): void {
  const t = useText()
  useShortcuts([
    { keys: 'Alt+↑', label: t('files.parentFolder'), group: 'move', run: openParent },
    { keys: 'Backspace', label: t('files.parentFolder'), group: 'move', run: openParent },
    { keys: 'Home', label: t('files.firstEntry'), group: 'move' },
    { keys: 'End', label: t('files.lastEntry'), group: 'move' },
    { keys: 'Space', label: t('files.selectOne'), group: 'select' },
    { keys: 'Shift+↓', label: t('files.extendSelection'), group: 'select' },
    { keys: 'Ctrl+A', label: t('files.selectAll'), group: 'select', run: () => grid.send({ kind: 'selectAll' }) },
    { keys: 'Esc', label: t('files.clearSelection'), group: 'select', run: () => grid.send({ kind: 'clear' }) },
  ])
}
