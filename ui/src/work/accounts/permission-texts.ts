import type { Permission } from '../../../../src/domain/permissions.ts'
import type { MessageId } from '../../i18n/use-text.tsx'

interface PermissionText {
  readonly label: MessageId
  readonly hint?: MessageId
}

/** How permissions are called. */
export const PERMISSION_TEXTS: Readonly<Record<Permission, PermissionText>> = {
  admin: { label: 'permissions.admin', hint: 'permissions.adminHint' },
  create: { label: 'permissions.create', hint: 'permissions.createHint' },
  rename: { label: 'permissions.rename' },
  modify: { label: 'permissions.modify', hint: 'permissions.modifyHint' },
  delete: { label: 'permissions.delete' },
  download: { label: 'permissions.download', hint: 'permissions.downloadHint' },
  share: { label: 'permissions.share', hint: 'permissions.shareHint' },
  execute: { label: 'permissions.execute', hint: 'permissions.executeHint' },
}
