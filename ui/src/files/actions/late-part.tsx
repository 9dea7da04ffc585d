import { Suspense, useState, type ReactNode } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { KeysComing } from '../../kit/keyboard/keys-coming.tsx'
import { OverlayBoundary } from '../../kit/dialog/overlay-boundary.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'

interface LatePartProps {
  /** Stands for it while it comes: where its keys go to, unless told. */
  readonly fallback?: ReactNode
  readonly children: ReactNode
}

/** Holds what the page can do without. When its code cannot be fetched, the rest stays. */
export function LatePart({ fallback = <KeysComing all />, children }: LatePartProps) {
  const t = useText()
  const toasts = useToasts()
  const [lost, setLost] = useState(false)
  const giveUp = (): void => {
    setLost(true)
    toasts.error(t('app.partMissing'))
  }
  if (lost) return null
  return (
    <OverlayBoundary onError={giveUp}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </OverlayBoundary>
  )
}
