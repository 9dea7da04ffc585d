import { useStore } from '../lib/create-store.ts'
import { LazyBoundary, lazyComponent } from './lazy-component.tsx'
import { useMenus } from './menu/menu.tsx'
import { useState } from 'react'
import { useToasts } from './feedback/toast.tsx'

export const MenuPopup = lazyComponent(async () => (await import('./menu/menu-popup.tsx')).MenuPopup)

/** Shows the open menu. Its code is fetched for the first one. */
export function MenuHost({ onError }: { onError: (error: unknown) => void }) {
  const menus = useMenus()
  const menu = useStore(menus.current)
  if (menu === undefined) return null
  return (
    <LazyBoundary
      onError={(error) => {
        menus.close()
        onError(error)
      }}
    >
      <MenuPopup menu={menu} onClose={menus.close} />
    </LazyBoundary>
  )
}

export const Toaster = lazyComponent(async () => (await import('./feedback/toaster.tsx')).Toaster)

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
