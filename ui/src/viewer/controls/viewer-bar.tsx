import type { ReactNode } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { groupedEntries } from '../../files/actions/menus/action-groups.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button, IconButton } from '../../kit/button/button.tsx'
import { FileName } from '../../kit/text/names.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import { Toolbar } from '../../kit/button/toolbar.tsx'
import { NARROW, useMediaQuery } from '../../lib/hooks.ts'
import type { ViewerAction } from '../file/viewed-file.ts'
import styles from '../viewer.module.css'

interface ViewerBarProps {
  readonly file: Resource
  readonly position: number
  readonly total: number
  readonly actions: readonly ViewerAction[]
  readonly details: boolean
  readonly onDetails: () => void
  readonly onEdit?: (() => void) | undefined
  readonly onClose: () => void
  /** The previous and next buttons of documents. They stand before the name, so they do not move with its length. */
  readonly children?: ReactNode
}

/** Actions with a button of their own; the others are in the menu. */
const MAX_BUTTONS = 4

/** The bar above the file: its name, its position in the folder and its actions. */
export function ViewerBar(props: ViewerBarProps) {
  const { file, position, total, actions, details, onDetails, onEdit, onClose, children } = props
  const t = useText()
  const narrow = useMediaQuery(NARROW)
  const shown = narrow ? [] : actions.slice(0, MAX_BUTTONS)
  const rest = narrow ? actions : actions.slice(MAX_BUTTONS)
  const edit: ViewerAction[] = narrow && onEdit ? [editAction(t('files.edit'), onEdit)] : []
  const menu = [...edit, ...rest]
  return (
    <header className={styles['bar']} data-chrome="">
      <IconButton icon="x" label={t('kit.close')} aria-keyshortcuts="Escape" onClick={onClose} />
      {children}
      <h1 className={styles['title']} title={file.name}>
        <FileName name={file.name} />
      </h1>
      {position > 0 && total > 1 && (
        <span className={styles['position']}>{t('viewer.position', { position, total })}</span>
      )}
      <span className="grow" />
      <Toolbar label={t('viewer.actions')} className={styles['tools']}>
        {!narrow && onEdit && (
          <Button variant="ghost" onClick={onEdit}>
            {t('files.edit')}
          </Button>
        )}
        {shown.map((action) => (
          <IconButton
            key={action.id}
            icon={action.icon}
            label={action.label}
            aria-keyshortcuts={action.keys}
            onClick={action.run}
          />
        ))}
        <IconButton
          icon="info"
          label={t('details.title')}
          aria-keyshortcuts="I"
          pressed={details}
          onClick={onDetails}
        />
        {menu.length > 0 && <MenuButton label={t('editor.more')} icon="more" entries={() => groupedEntries(menu)} />}
      </Toolbar>
    </header>
  )
}

function editAction(label: string, run: () => void): ViewerAction {
  return { id: 'edit', label, icon: 'rename', run }
}

interface StepButtonProps {
  readonly step: -1 | 1
  readonly entry: Resource | null
  readonly className?: string | undefined
  /** Disabled instead of hidden if there is no such file. */
  readonly keepSpace?: boolean
  readonly onShow: (entry: Resource) => void
}

/** Shows the previous or next file. */
export function StepButton({ step, entry, className, keepSpace = false, onShow }: StepButtonProps) {
  const t = useText()
  if (entry === null && !keepSpace) return null
  return (
    <IconButton
      className={className}
      data-chrome=""
      icon={step < 0 ? 'left' : 'right'}
      flipIcon
      label={t(step < 0 ? 'viewer.previous' : 'viewer.next')}
      disabled={entry === null}
      onClick={() => entry && onShow(entry)}
    />
  )
}
