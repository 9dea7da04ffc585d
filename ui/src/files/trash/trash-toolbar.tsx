import { useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { Toolbar, ToolbarText } from '../../kit/button/toolbar.tsx'

interface TrashToolbarProps {
  /** "12 items, 84.6 KiB". */
  readonly summary: string
  /** How many are selected. */
  readonly count: number
  readonly onClear: () => void
  readonly onRestore: () => void
  readonly onRemove: () => void
  readonly onEmpty: () => void
}

export function TrashToolbar({ summary, count, onClear, onRestore, onRemove, onEmpty }: TrashToolbarProps) {
  const t = useText()
  const mayRestore = useUser()?.perm.create ?? false
  if (count === 0) {
    return (
      <Toolbar label={t('trash.actions')} look="page">
        <ToolbarText>{summary}</ToolbarText>
        <span className="grow" />
        <Button variant="danger-quiet" icon="trash" onClick={onEmpty}>
          {t('trash.empty')}
        </Button>
      </Toolbar>
    )
  }
  return (
    <Toolbar label={t('files.selectionActions')} look="selection">
      <IconButton icon="x" label={t('files.clearSelection')} onClick={onClear} />
      <ToolbarText>{t('files.selected', { count })}</ToolbarText>
      <span className="grow" />
      {mayRestore && (
        <Button variant="ghost" icon="undo" onClick={onRestore}>
          {t('trash.restore')}
        </Button>
      )}
      <Button variant="ghost" icon="trash" onClick={onRemove}>
        {t('work.deleteForGood')}
      </Button>
    </Toolbar>
  )
}
