import { type Permission, type Permissions, ALL_PERMISSIONS } from '../../../../src/domain/access/permissions.ts'
import { useText, type MessageId } from '../../i18n/use-text.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
import styles from './permission-fields.module.css'

interface PermissionFieldsProps {
  readonly perm: Permissions
  /** Whether this server can run commands at all. */
  readonly withCommands: boolean
  /** Groups cannot give the administrator permission. */
  readonly withoutAdmin?: boolean
  readonly onChange: (perm: Permissions) => void
}

/** An account's permissions, as check boxes. Some imply others. */
export function PermissionFields({ perm, withCommands, withoutAdmin = false, onChange }: PermissionFieldsProps) {
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
      {!withoutAdmin && <div className={styles['admin']}>{box('admin', false)}</div>}
      {PLAIN_PERMISSIONS.filter((name) => withCommands || name !== 'execute').map((name) =>
        box(name, isImplied(perm, name)),
      )}
    </div>
  )
}

/** All but the administrator permission, in the order shown. */
export const PLAIN_PERMISSIONS = [
  'create',
  'rename',
  'modify',
  'delete',
  'download',
  'share',
  'execute',
] as const satisfies readonly Permission[]
export type PlainPermission = (typeof PLAIN_PERMISSIONS)[number]

/** Permissions after one was granted or removed: administrators have all of them, and sharing requires downloading. */
export function withPermission(perm: Permissions, name: Permission, on: boolean): Permissions {
  if (name === 'admin') return on ? ALL_PERMISSIONS : { ...perm, admin: false }
  const changed = { ...perm, [name]: on }
  if (name === 'share' && on) return { ...changed, download: true }
  if (name === 'download' && !on) return { ...changed, share: false }
  return changed
}

/** Whether another permission implies this one, so it cannot be changed on its own. */
export function isImplied(perm: Permissions, name: PlainPermission): boolean {
  return perm.admin || (name === 'download' && perm.share)
}

interface PermissionText {
  readonly label: MessageId
  readonly hint?: MessageId
}

/** Label and hint of each permission. */
export const PERMISSION_TEXTS: Readonly<Record<Permission, PermissionText>> = {
  admin: { label: 'permissions.admin', hint: 'permissions.admin.hint' },
  create: { label: 'permissions.create', hint: 'permissions.create.hint' },
  rename: { label: 'permissions.rename' },
  modify: { label: 'permissions.modify', hint: 'permissions.modify.hint' },
  delete: { label: 'permissions.delete' },
  download: { label: 'permissions.download', hint: 'permissions.download.hint' },
  share: { label: 'permissions.share', hint: 'permissions.share.hint' },
  execute: { label: 'permissions.execute', hint: 'permissions.execute.hint' },
}
