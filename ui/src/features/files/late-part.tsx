import { Suspense, useState, type ReactNode } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { OverlayBoundary } from '../../kit/overlay-boundary.tsx'
import { useToasts } from '../../kit/toast.tsx'

/** Holds what the folder can do without. When its code cannot be fetched, the files stay. */
export function LatePart({ children }: { readonly children: ReactNode }) {
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
      <Suspense>{children}</Suspense>
    </OverlayBoundary>
  )
}
