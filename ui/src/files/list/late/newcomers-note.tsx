import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import type { Arrivals } from '../use-arrivals.ts'
import styles from './late.module.css'

interface NewcomersNoteProps extends Pick<Arrivals, 'show'> {
  readonly unseen: readonly string[]
  readonly seen: () => void
}

/** Says how much has come out of sight, and leads there. */
export function NewcomersNote({ unseen, seen, show }: NewcomersNoteProps) {
  const t = useText()
  const lead = (): void => {
    show(unseen)
    seen()
  }
  return (
    <div className={styles['news']}>
      <Button icon="arrow-down" onClick={lead}>
        {t('files.newItems', { count: unseen.length })}
      </Button>
    </div>
  )
}
