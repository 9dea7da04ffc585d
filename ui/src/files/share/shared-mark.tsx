import { useText } from '../../i18n/use-text.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { classNames } from '../../lib/class-names.ts'
import type { SharedAccess } from '../queries/shares-query.ts'
import styles from './shared-mark.module.css'

interface SharedMarkProps {
  readonly access: SharedAccess | undefined
  readonly tile?: boolean
}

/** Marks an entry that the user shares by a link. */
export function SharedMark({ access, tile = false }: SharedMarkProps) {
  const t = useText()
  if (access === undefined) return null
  const label = t(access === 'password' ? 'actions.sharedGuarded' : 'actions.shared')
  return (
    <span
      className={classNames(styles['mark'], tile && styles['tile'])}
      role="img"
      aria-label={label}
      data-tooltip={label}
    >
      <Icon name={access === 'password' ? 'lock' : 'link'} size={14} />
    </span>
  )
}
