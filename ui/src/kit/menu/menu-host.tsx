import { useStore } from '../../lib/create-store.ts'
import { LazyBoundary, lazyComponent } from '../lazy-component.tsx'
import { useMenus } from './menu.tsx'

export const MenuPopup = lazyComponent(async () => (await import('./menu-popup.tsx')).MenuPopup)

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
