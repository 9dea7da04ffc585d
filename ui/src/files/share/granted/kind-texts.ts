import type { GrantKind } from '../../../../../src/domain/shares/grant.ts'
import type { MessageId } from '../../../i18n/use-text.tsx'

/** What recipients may do. */
export const KIND_TEXTS: Readonly<Record<GrantKind, MessageId>> = {
  view: 'shares.allowView',
  download: 'shares.allowDownload',
  edit: 'shares.allowEdit',
  upload: 'shares.allowUpload',
}
