import { useText, type MessageId } from '../../../i18n/use-text.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'
import { OUTCOME_TEXTS, type AuditChoice } from './audit-query.ts'
import styles from './audit.module.css'

/** Audited operations, grouped by the prefix of their ids. */
const GROUPS: Readonly<Record<string, MessageId>> = {
  'auth.': 'signin.title',
  'sessions.': 'audit.ofSessions',
  'tokens.': 'tokens.title',
  'users.': 'backup.accounts',
  'settings.': 'shell.settings',
  'maintenance.': 'global.maintenance',
  'server.': 'server.title',
  'files.': 'files.files',
  'shares.': 'shell.shares',
  'grants.': 'shell.sharedWithMe',
  'trash.': 'audit.ofTrash',
  'uploads.': 'audit.ofUploads',
  'hooks.': 'hooks.title',
  'branding.': 'branding.title',
  'backup.': 'audit.ofBackup',
}

const OUTCOMES = ['done', 'refused', 'failed'] as const

interface AuditFilterProps {
  readonly choice: AuditChoice
  readonly onChange: (choice: AuditChoice) => void
}

export function AuditFilter({ choice, onChange }: AuditFilterProps) {
  const t = useText()
  const groups = [
    { value: '', label: t('audit.everything') },
    ...Object.entries(GROUPS).map(([value, text]) => ({ value, label: t(text) })),
  ]
  return (
    <div className={styles['filter']} role="search" aria-label={t('audit.filter')}>
      <TextField
        label={t('audit.user')}
        value={choice.user}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange({ ...choice, user: event.currentTarget.value })}
      />
      <div className={styles['field']}>
        <span aria-hidden="true">{t('audit.action')}</span>
        <Select
          label={t('audit.action')}
          options={groups}
          value={choice.action}
          onChange={(action) => onChange({ ...choice, action })}
        />
      </div>
      <TextField
        label={t('audit.target')}
        value={choice.target}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange({ ...choice, target: event.currentTarget.value })}
      />
      <div className={styles['field']}>
        <span aria-hidden="true">{t('audit.outcome')}</span>
        <Select
          label={t('audit.outcome')}
          options={[
            { value: '', label: t('audit.everything') },
            ...OUTCOMES.map((value) => ({ value, label: t(OUTCOME_TEXTS[value]) })),
          ]}
          value={choice.outcome}
          onChange={(outcome) => onChange({ ...choice, outcome })}
        />
      </div>
      <TextField
        label={t('audit.from')}
        type="date"
        value={choice.from}
        onChange={(event) => onChange({ ...choice, from: event.currentTarget.value })}
      />
      <TextField
        label={t('audit.to')}
        type="date"
        value={choice.to}
        onChange={(event) => onChange({ ...choice, to: event.currentTarget.value })}
      />
    </div>
  )
}
