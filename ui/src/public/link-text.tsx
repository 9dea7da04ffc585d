import styles from './link-text.module.css'

interface LinkTextProps {
  readonly title: string
  readonly message: string
}

/** The title and message that the owner of a link has written. */
export function LinkText({ title, message }: LinkTextProps) {
  return (
    <div className={styles['text']}>
      {title && <h1 dir="auto">{title}</h1>}
      {message && (
        <p className={styles['message']} dir="auto">
          {message}
        </p>
      )}
    </div>
  )
}
