import type { ReactNode } from 'react'
import { useText } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { EmptyState } from '../kit/feedback/empty-state.tsx'
import { Icon } from '../kit/icon/icon.tsx'
import styles from './viewer.module.css'

interface StageNoteProps {
  readonly title: string
  readonly children: ReactNode
  readonly onRetry?: (() => void) | undefined
}

/** Says on the stage why there is nothing on it. */
export function StageNote({ title, children, onRetry }: StageNoteProps) {
  const t = useText()
  return (
    <div className={styles['note']}>
      <EmptyState
        art={<Icon name="alert" size={40} />}
        title={title}
        role="alert"
        actions={onRetry && <Button onClick={onRetry}>{t('errors.retry')}</Button>}
      >
        {children}
      </EmptyState>
    </div>
  )
}
