import type { Permission } from '../../../../src/domain/permissions.ts'
import type { MessageId } from '../../i18n/use-text.tsx'

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
