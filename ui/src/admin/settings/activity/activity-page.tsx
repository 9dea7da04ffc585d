import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { exportAudit } from '../../../../../src/api/server/audit.ts'
import { useClient } from '../../../api/client.ts'
import { usePageTitle } from '../../../api/page-config.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button, IconButton } from '../../../kit/button/button.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { useSettled } from '../../../lib/hooks.ts'
import { startDownload } from '../../../lib/start-download.ts'
import { EFFECT_TEXTS } from '../../../files/actions/prompts/details/effect-texts.ts'
import { AuditFilter } from './audit-filter.tsx'
import { auditQuery, NO_FILTER, type AuditChoice, readLines, OUTCOME_TEXTS } from './audit-query.ts'
import styles from './audit.module.css'
import type { AuditEntry } from '../../../../../src/domain/server/audit.ts'
import { auditDetails } from '../../../../../src/domain/server/audit-text.ts'
import { Badge } from '../../../kit/feedback/note.tsx'

const PAGE = 25
const EXPORTS = [
  { format: 'csv', name: 'CSV' },
  { format: 'jsonl', name: 'JSON' },
] as const
/** Milliseconds without typing after which the query counts as complete. */
const PAUSE = 250

/** The audit log, newest entries first. */
export function ActivityPage() {
  const t = useText()
  usePageTitle(t('audit.title'))
  const format = useFormat()
  const client = useClient()
  const [choice, setChoice] = useState<AuditChoice>(NO_FILTER)
  const filter = useSettled(choice, PAUSE)
  const [pages, setPages] = useState(1)
  const query = useQuery({
    queryKey: ['audit', filter, pages],
    queryFn: async ({ signal }) => await readLines(client, filter, pages * PAGE, signal),
    staleTime: 0,
    placeholderData: (before) => before,
  })
  const { entries = [], next = null } = query.data ?? {}
  return (
    <Page
      wide="full"
      title={t('audit.title')}
      hint={t('audit.hint')}
      actions={<IconButton icon="retry" label={t('audit.refresh')} onClick={() => void query.refetch()} />}
    >
      <div className={styles['log']}>
        <AuditFilter
          choice={choice}
          onChange={(changed) => {
            setPages(1)
            setChoice(changed)
          }}
        />
        <div className={styles['scroll']} tabIndex={0} role="region" aria-label={t('audit.list')}>
          {entries.length > 0 && <AuditTable entries={entries} />}
          {entries.length === 0 && !query.isPending && (
            <p className={styles['none']}>{query.isError ? t('actions.failed') : t('audit.none')}</p>
          )}
        </div>
        <div className={styles['foot']}>
          <span className="grow small" role="status">
            {t('audit.shown', { count: entries.length, number: format.number(entries.length) })}
          </span>
          {next !== null && (
            <Button
              size="small"
              progress={query.isPlaceholderData ? 'busy' : 'idle'}
              onClick={() => setPages(pages + 1)}
            >
              {t('audit.more')}
            </Button>
          )}
          {EXPORTS.map(({ format, name }) => (
            <Button
              key={format}
              size="small"
              icon="download"
              onClick={() => startDownload(client.url(exportAudit, { query: { ...auditQuery(choice, null), format } }))}
            >
              {t('audit.exportAs', { format: name })}
            </Button>
          ))}
        </div>
      </div>
    </Page>
  )
}

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
          // Entries have no id, and new ones are only appended.
          <AuditRow key={`${entry.time} ${index}`} entry={entry} />
        ))}
      </tbody>
    </table>
  )
}

function AuditRow({ entry }: { readonly entry: AuditEntry }) {
  const t = useText()
  const format = useFormat()
  const { time, who, action, effect, target, destination, outcome, address, token, daemon, account, sudoUser } = entry
  return (
    <tr>
      <td>
        <time dateTime={time}>{format.dateTime(new Date(time))}</time>
        {daemon !== undefined && <bdi className={styles['fact']}>{daemon}</bdi>}
      </td>
      <td>
        <bdi>{who}</bdi>
        {address !== undefined && <bdi className={styles['fact']}>{address}</bdi>}
        {account !== undefined && (
          <bdi className={styles['fact']}>{sudoUser === undefined ? account : `${sudoUser} → ${account}`}</bdi>
        )}
        {token !== undefined && <bdi className={styles['fact']}>{t('tokens.by', { name: token })}</bdi>}
      </td>
      <td>
        {effect === undefined ? <code>{action}</code> : t(EFFECT_TEXTS[effect])}
        {effect !== undefined && <code className={styles['fact']}>{action}</code>}
      </td>
      <td>
        {target !== undefined && <bdi>{target}</bdi>}
        {destination !== undefined && (
          <span className={styles['fact']}>
            {t('audit.toPath')} <bdi>{destination}</bdi>
          </span>
        )}
        <Details details={auditDetails(entry)} />
      </td>
      <td>
        <Badge tone={outcome === 'done' ? 'ok' : outcome === 'refused' ? 'warning' : 'danger'}>
          {t(OUTCOME_TEXTS[outcome])}
        </Badge>
      </td>
    </tr>
  )
}

/** Of a list of up to a hundred, the first are shown at once. */
const SHOWN = 8

function Details({ details }: { readonly details: readonly string[] }) {
  const list = (part: readonly string[]) =>
    part.map((detail, index) => (
      <bdi key={index} className={styles['fact']}>
        {detail}
      </bdi>
    ))
  const rest = details.slice(SHOWN)
  return (
    <>
      {list(details.slice(0, SHOWN))}
      {rest.length > 0 && (
        <details className={styles['fact']}>
          <summary>+{rest.length}</summary>
          {list(rest)}
        </details>
      )}
    </>
  )
}
