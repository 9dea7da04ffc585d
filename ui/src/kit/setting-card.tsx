import { type ReactNode, type SubmitEvent, useId } from 'react'
import styles from './setting-card.module.css'

interface SettingCardProps {
  title: ReactNode
  /** What the whole group is for, or what changing it does. */
  hint?: ReactNode
  /** Makes it a form of its own: Enter submits. Its main button needs `type="submit"`. */
  onSubmit?: (() => void) | undefined
  /** Buttons under the rows; wrap one in `<span className="grow">` to move the others to the end. */
  footer?: ReactNode
  /** `SettingRow`s, or anything that is to stand inside of the frame. */
  children: ReactNode
}

/** Settings that belong together, under a heading. */
export function SettingCard({ title, hint, onSubmit, footer, children }: SettingCardProps) {
  const headingId = useId()
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit?.()
  }
  const inside = (
    <>
      {children}
      {footer && <div className={styles['footer']}>{footer}</div>}
    </>
  )
  return (
    <section className={styles['card']} aria-labelledby={headingId}>
      <header>
        <h2 id={headingId}>{title}</h2>
        {hint && <p>{hint}</p>}
      </header>
      {onSubmit ? (
        <form className={styles['box']} aria-labelledby={headingId} noValidate onSubmit={handleSubmit}>
          {inside}
        </form>
      ) : (
        <div className={styles['box']}>{inside}</div>
      )}
    </section>
  )
}
