import { Suspense } from 'react'
import { JobsHost } from '../files/jobs/jobs-host.tsx'
import { OfflineBanner } from '../shell/offline-banner.tsx'
import { Places } from '../shell/sidebar/places.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { LiveUpdates } from './live-updates.tsx'
import { ToolsRoot } from './tools-root.tsx'
import { SidebarLinks } from './sidebar-links.tsx'

const Receive = lazyPart(async () => (await import('./receive.ts')).Receive)
const SessionWatch = lazyPart(async () => (await import('../sign-in/session-watch.tsx')).SessionWatch)

/** What every screen behind the sign-in has, but needs only after the first rows: fetched as one. */
export function LateParts() {
  return (
    <>
      <JobsHost />
      <SidebarLinks />
      <LiveUpdates />
      <Suspense>
        <SessionWatch />
        {location.search.includes('received') && <Receive />}
      </Suspense>
      <OfflineBanner />
      <Places />
      <ToolsRoot />
    </>
  )
}
