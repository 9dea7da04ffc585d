import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { getUsage } from '../../../../src/api/files/files.ts'
import { useClient } from '../../api/client.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { Progress } from '../../kit/feedback/progress.tsx'
import { classNames } from '../../lib/class-names.ts'
import styles from './sidebar.module.css'

const WARNING_THRESHOLD = 0.8
const DANGER_THRESHOLD = 0.95

/** Shows how full the disk of the open folder is, once that is known. */
export function UsageBar({ path }: { path: string }) {
  const t = useText()
  const format = useFormat()
  const labelId = useId()
  const client = useClient()
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const { data: usage } = useQuery({
    queryKey: ['usage', folder],
    queryFn: ({ signal }) => client.call(getUsage, { params: { '*': folder }, signal }),
    placeholderData: (previous) => previous,
    throwOnError: false,
  })
  if (usage === undefined || usage.total === 0) return null
  const share = usage.used / usage.total
  const tone = toneOf(share)
  const text = t('shell.usage', { used: format.bytes(usage.used), total: format.bytes(usage.total) })
  return (
    <div className={styles['usage']}>
      <div>
        <span id={labelId}>{t('shell.storage')}</span>
        <span className={classNames('num', styles['share'], styles[tone])}>
          {/* Not by colour alone. */}
          {tone !== 'accent' && <Icon name={tone === 'danger' ? 'error' : 'alert'} size={14} />}
          {format.percent(share)}
        </span>
      </div>
      <Progress value={share} tone={tone} labelledBy={labelId} valueText={text} />
      <div className="num subtle">{text}</div>
    </div>
  )
}

function toneOf(share: number): 'accent' | 'warning' | 'danger' {
  if (share >= DANGER_THRESHOLD) return 'danger'
  return share >= WARNING_THRESHOLD ? 'warning' : 'accent'
}
