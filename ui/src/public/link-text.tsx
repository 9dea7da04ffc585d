import type { LinkView } from '../../../src/domain/shares/share-terms.ts'
import styles from './link-text.module.css'

interface LinkTextProps {
  readonly link: Pick<LinkView, 'title' | 'message'> | undefined
  /** Shown if there is no message. */
  readonly fallback?: string
}

/** The title and message that the owner of a link has written. Nothing if there are none. */
export function LinkText({ link, fallback = '' }: LinkTextProps) {
  const title = link?.title ?? ''
  const message = link?.message || fallback
  if (title === '' && message === '') return null
  return (
    <div className={styles['text']}>
      {title !== '' && (
        <p className={styles['title']} dir="auto">
          {title}
        </p>
      )}
      {message !== '' && (
        <p className={styles['message']} dir="auto">
          {message}
        </p>
      )}
    </div>
  )
}
