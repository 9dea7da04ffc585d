import type { MessageId, Translate } from '../../i18n/use-text.tsx'
import { nameOf } from '../../../../src/domain/virtual-path.ts'
import { isOpen, type ActivityRow } from './activity-rows.ts'

const DID: Readonly<Partial<Record<ActivityRow['kind'], MessageId>>> = {
  copy: 'work.copied',
  move: 'work.moved',
  trash: 'work.trashed',
  delete: 'work.deleted',
  restore: 'work.restored',
}

/** "Copying: 214 items", "Moved 38 items to Archive". */
export function rowTitle(t: Translate, row: ActivityRow): string {
  const { kind, name, count, done, folder } = row
  if (kind === 'checksum' && !isOpen(row)) return `${t('details.checksums')}: ${name}`
  const did = isOpen(row) || done === 0 ? undefined : DID[kind]
  if (did === undefined) return t('jobs.doing', { kind, name, count })
  return t(did, { name, count: done, folder: (folder && nameOf(folder)) || t('files.root') })
}
