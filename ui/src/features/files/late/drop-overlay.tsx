import { Icon } from '../../../kit/icon.tsx'
import { classNames } from '../../../lib/class-names.ts'
import styles from '../folder-view.module.css'

/** Says where a drop goes, or why it is refused. Lets the drag through to the rows beneath. */
export function DropOverlay({ message, refused }: { readonly message: string; readonly refused: boolean }) {
  return (
    <>
      <div className={classNames(styles['frame'], refused && styles['refused'])} />
      <div className={styles['overlay']} role="status">
        <div className={classNames(refused && styles['refusal'])}>
          <Icon name={refused ? 'ban' : 'upload'} />
          <span className="clip">{message}</span>
        </div>
      </div>
    </>
  )
}
