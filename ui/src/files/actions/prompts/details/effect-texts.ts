import type { AuditEffect } from '../../../../../../src/domain/server/audit.ts'
import type { MessageId } from '../../../../i18n/use-text.tsx'

/** Label of each effect on files. */
export const EFFECT_TEXTS: Readonly<Record<AuditEffect, MessageId>> = {
  created: 'audit.created',
  overwritten: 'audit.overwritten',
  trashed: 'audit.trashed',
  deleted: 'audit.deleted',
  copied: 'audit.copied',
  moved: 'audit.moved',
  downloaded: 'audit.downloaded',
  visited: 'audit.visited',
}
