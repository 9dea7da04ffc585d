import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { IconButton } from '../../../kit/button/button.tsx'
import { Toolbar, ToolbarText } from '../../../kit/button/toolbar.tsx'
import type { OfferedAction } from '../../actions/selection-actions.ts'

interface SelectionToolbarProps {
  /** "3 selected". */
  readonly count: string
  /** "2 folders and 84.6 KiB"; empty while nothing is selected yet. */
  readonly detail: string
  readonly actions: readonly OfferedAction[]
  readonly narrow: boolean
  readonly onClear: () => void
  readonly onMore: (button: HTMLElement) => void
}

/** Takes the place of the folder's toolbar, so that the rows never jump. */
export function SelectionToolbar({ count, detail, actions, narrow, onClear, onMore }: SelectionToolbarProps) {
  const t = useText()
  return (
    <Toolbar label={t('files.selectionActions')} look="selection">
      <IconButton icon="x" label={t('files.clearSelection')} aria-keyshortcuts="Escape" onClick={onClear} />
      <ToolbarText>
        {count}
        {detail && (
          <span>
            {' · '}
            <bdi>{detail}</bdi>
          </span>
        )}
      </ToolbarText>
      <span className="grow" />
      {!narrow &&
        actions.map((action) => (
          <Button
            key={action.id}
            variant="ghost"
            icon={action.icon}
            aria-keyshortcuts={action.keys}
            onClick={action.run}
          >
            {action.label}
          </Button>
        ))}
      <IconButton
        icon="more"
        label={t('files.selectionActions')}
        aria-haspopup="menu"
        onClick={(event) => onMore(event.currentTarget)}
      />
    </Toolbar>
  )
}

/** The same actions where a thumb reaches them. */
export function SelectionBottomBar({ actions }: { readonly actions: readonly OfferedAction[] }) {
  const t = useText()
  if (actions.length === 0) return null
  return (
    <Toolbar label={t('files.selectionActionsTouch')} look="thumb">
      {actions.map((action) => (
        <Button key={action.id} variant="ghost" icon={action.icon} onClick={action.run}>
          <span className="clip">{action.label}</span>
        </Button>
      ))}
    </Toolbar>
  )
}
