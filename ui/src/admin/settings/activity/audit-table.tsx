import type { AuditEntry } from '../../../../../src/domain/audit.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Badge } from '../../../kit/feedback/note.tsx'
import { OUTCOME_TEXTS } from './outcome-texts.ts'
import styles from './audit.module.css'

export function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const t = useText()
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{t('audit.when')}</th>
          <th scope="col">{t('audit.who')}</th>
          <th scope="col">{t('audit.what')}</th>
          <th scope="col">{t('audit.target')}</th>
          <th scope="col">{t('audit.outcome')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, index) => (
          // Lines have no number, and only older ones are added.
          <AuditRow key={`${entry.time} ${index}`} entry={entry} />
        ))}
      </tbody>
    </table>
  )
}

function AuditRow({ entry }: { readonly entry: AuditEntry }) {
  const t = useText()
  const format = useFormat()
  const { time, who, action, target, destination, outcome, address } = entry
  return (
    <tr>
      <td>
        <time dateTime={time}>{format.dateTime(new Date(time))}</time>
      </td>
      <td>
        <bdi>{who}</bdi>
        {address !== undefined && <bdi className={styles['fact']}>{address}</bdi>}
      </td>
      <td>
        <code>{action}</code>
      </td>
      <td>
        {target !== undefined && <bdi>{target}</bdi>}
        {destination !== undefined && (
          <span className={styles['fact']}>
            {t('audit.toPlace')} <bdi>{destination}</bdi>
          </span>
        )}
      </td>
      <td>
        <Badge tone={outcome === 'done' ? 'ok' : outcome === 'refused' ? 'warning' : 'danger'}>
          {t(OUTCOME_TEXTS[outcome])}
        </Badge>
      </td>
    </tr>
  )
}
