import { useEffect, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { Skeleton } from '../../kit/feedback/progress.tsx'
import styles from './folder-view.module.css'

const DELAY = 200
const NAME_WIDTHS = [180, 132, 236, 96, 164, 210, 120]

/** Grey placeholder rows, shown only after 200 ms so that a fast answer does not flicker. */
export function ListingSkeleton() {
  const t = useText()
  const [isVisible, setVisible] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setVisible(true), DELAY)
    return () => clearTimeout(timer)
  }, [])
  if (!isVisible) return null
  return (
    <div className={styles['skeleton']} role="group" aria-busy="true" aria-label={t('files.loading')}>
      {NAME_WIDTHS.map((width) => (
        <div key={width}>
          <span />
          <span>
            <Skeleton width={24} height={24} />
            <Skeleton width={width} />
          </span>
          <Skeleton width={48} />
          <Skeleton width={88} />
          <span />
        </div>
      ))}
    </div>
  )
}
