import { useEffect } from 'react'
import { loadMenuPopup } from '../kit/menu/menu.tsx'
import { loadToaster } from '../kit/feedback/toast.tsx'
import { loadTooltip } from '../kit/tooltip/tooltip-host.tsx'

const PATIENCE = 4000

/** Fetches menus and toasts once the first view stands, so that none of them opens with a delay. */
export function useIdlePreload(): void {
  useEffect(() => {
    // Only a head start: what fails now is fetched again when it is needed, and complains then.
    const load = () => void Promise.allSettled([loadMenuPopup(), loadTooltip(), loadToaster()])
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(load, PATIENCE / 4)
      return () => clearTimeout(timer)
    }
    const handle = requestIdleCallback(load, { timeout: PATIENCE })
    return () => cancelIdleCallback(handle)
  }, [])
}
