import type { AuditEntry } from '../../../../../src/domain/audit.ts'
import type { MessageId } from '../../../i18n/use-text.tsx'

/** How it is called that something ended so. */
export const OUTCOME_TEXTS: Readonly<Record<AuditEntry['outcome'], MessageId>> = {
  done: 'audit.done',
  refused: 'audit.refused',
  failed: 'audit.failed',
}
