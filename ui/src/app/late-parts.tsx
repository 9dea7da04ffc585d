import { Suspense } from 'react'
import { OfflineBanner } from '../features/shell/offline-banner.tsx'
import { Places } from '../features/shell/places/places.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { LiveUpdates } from './live-updates.tsx'
import { Receive } from './receive.ts'
import { ToolsRoot } from './tools-root.tsx'
import { SidebarLinks } from './sidebar-links.tsx'
import { LateWorkRoot } from './late-work-root.tsx'

const SessionWatch = lazyPart(async () => (await import('../features/auth/session-watch.tsx')).SessionWatch)

/** What every screen behind the sign-in has, but needs only after the first rows: fetched as one. */
export function LateParts() {
  return (
    <>
      <LateWorkRoot />
      <SidebarLinks />
      <LiveUpdates />
      <Suspense>
        <SessionWatch />
      </Suspense>
      <OfflineBanner />
      <Receive />
      <Places />
      <ToolsRoot />
    </>
  )
}
