import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Note } from '../../../kit/feedback/note.tsx'
import type { UserProblem } from './use-user-actions.ts'
import styles from './users-page.module.css'

interface UsersProblemsProps {
  readonly problems: readonly UserProblem[]
  readonly onClose: () => void
}

/** What could not be done, and why, user by user. Stays until it is closed. */
export function UsersProblems({ problems, onClose }: UsersProblemsProps) {
  const t = useText()
  if (problems.length === 0) return null
  return (
    <Note icon="error" tone="danger" role="alert">
      <p className="strong">{t('users.someFailed', { count: problems.length })}</p>
      <ul className={styles['problems']}>
        {problems.map(({ name, text }) => (
          <li key={name}>
            <bdi className="strong">{name}</bdi>: {text}
          </li>
        ))}
      </ul>
      <Button variant="ghost" size="small" onClick={onClose}>
        {t('kit.dismiss')}
      </Button>
    </Note>
  )
}
