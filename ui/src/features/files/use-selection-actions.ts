import { useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import type { Grid } from './grid/use-grid.ts'
import { countSelected, selectedOf, type Selection } from './model/selection.ts'
import type { SelectionAction } from './toolbar/selection-action.ts'
import type { EntryOpener } from './use-open-entry.ts'

/** Tells what can be done with a selection: by what is selected, and by what the user may. */
export function useSelectionActions(
  { view, entryOf }: Grid,
  opener: EntryOpener,
): (selection: Selection) => SelectionAction[] {
  const t = useText()
  const mayDownload = useUser()?.perm.download ?? false
  return (selection) => {
    if (countSelected(selection, view.names.length) !== 1) return []
    const [name] = selectedOf(selection, selection.inverted ? view.names : selection.names)
    const entry = name === undefined ? undefined : entryOf(name)
    if (entry === undefined || entry.type === 'invalid_link' || !(entry.isDir || mayDownload)) return []
    const open: SelectionAction = {
      id: 'open',
      label: t('files.open'),
      icon: 'eye',
      keys: 'Enter',
      run: () => opener.open(entry),
    }
    const download: SelectionAction = {
      id: 'download',
      label: t('files.download'),
      icon: 'download',
      keys: 'Ctrl+S',
      run: () => opener.download(entry),
    }
    return entry.isDir ? [open] : [open, download]
  }
}
