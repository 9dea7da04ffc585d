import type { QuotaUse } from '../../../../src/domain/access/quota.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Meter } from './meter.tsx'

/** Shows how much of a quota is used: a bar for each limit. */
export function QuotaMeter({ quota: { used, limit } }: { readonly quota: QuotaUse }) {
  const t = useText()
  const format = useFormat()
  return (
    <>
      {limit.bytes > 0 && (
        <Meter
          label={t('shell.storage')}
          share={used.bytes / limit.bytes}
          text={t('shell.usage', { used: format.bytes(used.bytes), total: format.bytes(limit.bytes) })}
        />
      )}
      {limit.files > 0 && (
        <Meter
          label={t('files.filesAndFolders')}
          share={used.files / limit.files}
          text={t('shell.usage', { used: format.number(used.files), total: format.number(limit.files) })}
        />
      )}
    </>
  )
}
