import type { Permission, Permissions } from '../../../../src/domain/permissions.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
import { isImplied, PLAIN_PERMISSIONS, withPermission } from './permission-change.ts'
import { PERMISSION_TEXTS } from './permission-texts.ts'
import styles from './permission-fields.module.css'

interface PermissionFieldsProps {
  readonly perm: Permissions
  /** Whether commands can be run on this server at all. */
  readonly withCommands: boolean
  readonly onChange: (perm: Permissions) => void
}

/** What an account may do: check boxes that follow each other. */
export function PermissionFields({ perm, withCommands, onChange }: PermissionFieldsProps) {
  const t = useText()
  const box = (name: Permission, disabled: boolean) => {
    const { label, hint } = PERMISSION_TEXTS[name]
    return (
      <Checkbox
        key={name}
        checked={perm[name]}
        disabled={disabled}
        onChange={(on) => onChange(withPermission(perm, name, on))}
        label={
          <>
            {t(label)}
            {hint && <span className={styles['hint']}>{t(hint)}</span>}
          </>
        }
      />
    )
  }
  return (
    <div className={styles['fields']} role="group" aria-label={t('permissions.title')}>
      <div className={styles['admin']}>{box('admin', false)}</div>
      {PLAIN_PERMISSIONS.filter((name) => withCommands || name !== 'execute').map((name) =>
        box(name, isImplied(perm, name)),
      )}
    </div>
  )
}
