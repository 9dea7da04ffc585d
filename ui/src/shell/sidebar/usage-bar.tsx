import { useQuery } from '@tanstack/react-query'
import { getUsage } from '../../../../src/api/files/usage.ts'
import { useClient } from '../../api/client.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Meter } from '../../files/storage/meter.tsx'
import { QuotaMeter } from '../../files/storage/quota-meter.tsx'
import styles from './sidebar.module.css'

/** Shows how full the quota of the user is, or else the disk of the open folder, once that is known. */
export function UsageBar({ path }: { path: string }) {
  const t = useText()
  const format = useFormat()
  const client = useClient()
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const { data: usage } = useQuery({
    queryKey: ['usage', folder],
    queryFn: ({ signal }) => client.call(getUsage, { params: { '*': folder }, signal }),
    placeholderData: (previous) => previous,
    throwOnError: false,
  })
  if (usage === undefined || (usage.quota === undefined && usage.total === 0)) return null
  const { used, total, quota } = usage
  const text = t('shell.usage', { used: format.bytes(used), total: format.bytes(total) })
  return (
    <div className={styles['usage']}>
      {quota === undefined ? (
        <Meter label={t('shell.storage')} share={used / total} text={text} />
      ) : (
        <QuotaMeter quota={quota} />
      )}
    </div>
  )
}
