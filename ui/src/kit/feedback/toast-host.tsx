import { Suspense, useState } from 'react'
import { useStore } from '../../lib/create-store.ts'
import { OverlayBoundary } from '../dialog/overlay-boundary.tsx'
import { lazyPart } from '../lazy-part.tsx'
import { useToasts } from './toast.tsx'

const Toaster = lazyPart(async () => (await import('./toaster.tsx')).Toaster)

/** Draws toasts. Its code is fetched with the first one, or while the page idles. */
export function ToastHost({ direction }: { direction: 'ltr' | 'rtl' }) {
  const toasts = useToasts()
  const needed = useStore(toasts.waiting, (waiting) => waiting.length > 0)
  const [mounted, setMounted] = useState(false)
  if (needed && !mounted) setMounted(true)
  if (!mounted) return null
  const giveUp = () => {
    toasts.waiting.set([])
    setMounted(false)
  }
  return (
    <OverlayBoundary onError={giveUp}>
      <Suspense>
        <Toaster waiting={toasts.waiting} direction={direction} />
      </Suspense>
    </OverlayBoundary>
  )
}
