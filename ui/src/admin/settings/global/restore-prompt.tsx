import type { RestoreReport } from '../../../../../src/domain/server/backup.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { Note } from '../../../kit/feedback/note.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import styles from './restore-prompt.module.css'

interface RestoreQuestion {
  readonly name: string
  readonly report: RestoreReport
}

/** Shows what a backup contains and what it would replace. */
export function RestorePrompt({ name, report, close }: RestoreQuestion & PromptProps<boolean>) {
  const t = useText()
  const format = useFormat()
  const rows = [
    { label: t('backup.accounts'), now: report.usersBefore, then: report.users },
    { label: t('shell.shares'), now: report.sharesBefore, then: report.shares },
  ]
  return (
    <Dialog
      alert
      size="medium"
      title={t('backup.restore')}
      onClose={() => close()}
      footer={
        <>
          <Button data-autofocus="" onClick={() => close()}>
            {t('files.cancel')}
          </Button>
          <Button variant="danger" onClick={() => close(true)}>
            {t('backup.replace')}
          </Button>
        </>
      }
    >
      <p>{t('backup.from', { name, date: format.dateTime(new Date(report.created)), version: report.filemgr })}</p>
      <table className={styles['table']}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('backup.now')}</th>
            <th scope="col">{t('backup.inBackup')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, now, then }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{format.number(now)}</td>
              <td>{format.number(then)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Note icon="alert" tone="warning">
        {t('backup.signsEveryoneOut')}
      </Note>
      {report.notes.length > 0 && (
        <ul className={styles['notes']} lang="en" dir="ltr">
          {report.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
