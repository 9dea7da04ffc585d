import { useState } from 'react'
import { useStore } from '../../lib/create-store.ts'
import { LazyBoundary, lazyComponent } from '../lazy-component.tsx'
import { useToasts } from './toast.tsx'

export const Toaster = lazyComponent(async () => (await import('./toaster.tsx')).Toaster)

/** Shows toasts. Their code is fetched for the first one. */
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
    <LazyBoundary onError={giveUp}>
      <Toaster waiting={toasts.waiting} direction={direction} />
    </LazyBoundary>
  )
}
