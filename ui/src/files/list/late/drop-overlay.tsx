import { Icon } from '../../../kit/icon/icon.tsx'
import { classNames } from '../../../lib/class-names.ts'
import type { DropZone } from './use-drop-zone.ts'
import styles from '../folder-view.module.css'

const ICONS = { upload: 'upload', copy: 'copy', move: 'folder-move' } as const

/** Says where a drop goes, or why it is refused. Lets the drag through to the rows beneath. */
export function DropOverlay({ message, kind, refused }: DropZone) {
  return (
    <>
      {kind === 'upload' && <div className={classNames(styles['frame'], refused && styles['refused'])} />}
      <div className={styles['overlay']} role="status">
        <div className={classNames(refused && styles['refusal'])}>
          <Icon name={refused ? 'ban' : ICONS[kind]} />
          <span className="clip">{message}</span>
        </div>
      </div>
    </>
  )
}
