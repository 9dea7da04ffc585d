import { type Permission, type Permissions, ALL_PERMISSIONS } from '../../../../src/domain/access/permissions.ts'
import { useText, type MessageId } from '../../i18n/use-text.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
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

/** The permissions after one was given or taken: administrators have all of them, and who shares also downloads. */
export function withPermission(perm: Permissions, name: Permission, on: boolean): Permissions {
  if (name === 'admin') return on ? ALL_PERMISSIONS : { ...perm, admin: false }
  const changed = { ...perm, [name]: on }
  if (name === 'share' && on) return { ...changed, download: true }
  if (name === 'download' && !on) return { ...changed, share: false }
  return changed
}

/** Whether another permission decides about this one, so that it cannot be changed by itself. */
export function isImplied(perm: Permissions, name: PlainPermission): boolean {
  return perm.admin || (name === 'download' && perm.share)
}

interface PermissionText {
  readonly label: MessageId
  readonly hint?: MessageId
}

/** How permissions are called. */
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
