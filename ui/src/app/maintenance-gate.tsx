import { type ReactNode, useState } from 'react'
import { useConfig } from '../api/page-config.tsx'
import { LazyBoundary, lazyComponent } from '../kit/lazy-component.tsx'

const MaintenanceScreen = lazyComponent(async () => (await import('./maintenance-screen.tsx')).MaintenanceScreen)

/**
 * Covers the page with a notice during maintenance. An open page stays mounted beneath it, so that no unsaved text is lost
 * and uploads continue afterwards. A page that is opened during maintenance starts once its user is let in.
 */
export function MaintenanceGate({ children }: { readonly children: ReactNode }) {
  const { Maintenance: notice } = useConfig()
  const [first] = useState(notice)
  return (
    <>
      {!first && children}
      {(first ?? notice) && (
        <LazyBoundary>
          <MaintenanceScreen notice={notice}>{first && children}</MaintenanceScreen>
        </LazyBoundary>
      )}
    </>
  )
}
