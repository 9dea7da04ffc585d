import { useId } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { Progress } from '../../kit/feedback/progress.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { classNames } from '../../lib/class-names.ts'
import styles from './meter.module.css'
import type { QuotaUse } from '../../../../src/domain/access/quota.ts'
import { useText } from '../../i18n/use-text.tsx'

const WARNING_THRESHOLD = 0.8
const DANGER_THRESHOLD = 0.95

interface MeterProps {
  readonly label: string
  /** Used fraction of the limit; above 1 when it is exceeded. */
  readonly share: number
  /** The share in amounts, such as "3 GiB of 20 GiB used". */
  readonly text: string
}

/** A bar that shows how full something is. */
export function Meter({ label, share, text }: MeterProps) {
  const format = useFormat()
  const labelId = useId()
  const tone = toneOf(share)
  return (
    <div className={styles['usage']}>
      <div>
        <span id={labelId}>{label}</span>
        <span className={classNames('num', styles['share'], styles[tone])}>
          {/* Not by colour alone. */}
          {tone !== 'accent' && <Icon name={tone === 'danger' ? 'error' : 'alert'} size={14} />}
          {format.percent(share)}
        </span>
      </div>
      <Progress value={Math.min(1, share)} tone={tone} labelledBy={labelId} valueText={text} />
      <div className="num subtle">{text}</div>
    </div>
  )
}

/** Whether it is nearly full. */
export function toneOf(share: number): 'accent' | 'warning' | 'danger' {
  if (share >= DANGER_THRESHOLD) return 'danger'
  return share >= WARNING_THRESHOLD ? 'warning' : 'accent'
}

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
