import { usePermissionsAt } from '../../../api/permissions.ts'
import { folderName } from '../../../common/where.ts'
import { type Translate, useText } from '../../../i18n/use-text.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { classNames } from '../../../lib/class-names.ts'
import styles from '../folder-view.module.css'
import type { Hover } from './drop-zone.ts'

const ICONS = { upload: 'upload', copy: 'copy', move: 'folder-move', trash: 'trash' } as const

/** Shows where a drop goes, or why it is refused. Lets the drag through to the rows beneath. */
export function DropOverlay(hover: Hover) {
  const t = useText()
  const mayCopy = usePermissionsAt()(hover.folder).create
  const { kind } = hover
  const refused = hover.verdict !== 'accepted'
  return (
    <>
      {kind === 'upload' && <div className={classNames(styles['frame'], refused && styles['refused'])} />}
      <div className={styles['overlay']} role="status">
        <div className={classNames(refused && styles['refusal'])}>
          <Icon name={refused ? 'ban' : ICONS[kind]} />
          <span className="clip">{messageOf(t, hover, mayCopy)}</span>
        </div>
      </div>
    </>
  )
}

/** @param mayCopy a key makes a copy of what would be moved */
function messageOf(t: Translate, { kind, verdict, count, ...to }: Hover, mayCopy: boolean): string {
  if (verdict === 'forbidden') return t(kind === 'upload' ? 'files.dropRefused' : 'actions.forbidden')
  if (verdict === 'intoItself') return t('actions.intoItself')
  const folder = kind === 'trash' ? t('trash.title') : folderName(t, to.folder)
  if (kind === 'upload') return t('files.dropHere', { folder })
  const id = kind === 'copy' ? 'files.dropCopy' : kind === 'move' && mayCopy ? 'files.dropMoveOrCopy' : 'files.dropMove'
  return t(id, { count, folder })
}
