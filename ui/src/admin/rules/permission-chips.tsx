import { PATH_PERMISSIONS, type PathPermission } from '../../../../src/domain/access/rule.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Chip } from '../../kit/button/toggles.tsx'
import { PERMISSION_TEXTS } from '../forms/permission-fields.tsx'
import styles from './rules.module.css'

interface PermissionChipsProps {
  readonly label: string
  readonly chosen: readonly PathPermission[]
  readonly onChange: (chosen: PathPermission[]) => void
}

/** All that may be done somewhere, one by one. */
export function PermissionChips({ label, chosen, onChange }: PermissionChipsProps) {
  const t = useText()
  return (
    <div className={styles['permissions']} role="group" aria-label={label}>
      {PATH_PERMISSIONS.map((name) => (
        <Chip key={name} pressed={chosen.includes(name)} onClick={() => onChange(toggled(chosen, name))}>
          {t(PERMISSION_TEXTS[name].label)}
        </Chip>
      ))}
    </div>
  )
}

/** Sharing requires downloading. */
function toggled(before: readonly PathPermission[], name: PathPermission): PathPermission[] {
  const chosen = new Set(before)
  if (!chosen.delete(name)) chosen.add(name)
  if (name === 'share' && chosen.has('share')) chosen.add('download')
  if (name === 'download' && !chosen.has('download')) chosen.delete('share')
  return PATH_PERMISSIONS.filter((each) => chosen.has(each))
}
