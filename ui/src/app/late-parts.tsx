import { SharedMarks } from '../files/share/shared-marks.tsx'
import { OfflineBanner } from '../shell/offline-banner.tsx'
import { Places } from '../shell/sidebar/places.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { LatePart } from '../files/actions/late-part.tsx'
import { LiveUpdates } from './live-updates.tsx'
import { ToolsRoot } from './tools-root.tsx'
import { SidebarLinks } from './sidebar-links.tsx'
import { LateWorkRoot } from './late-work-root.tsx'

const Receive = lazyPart(async () => (await import('./receive.ts')).Receive)
const SessionWatch = lazyPart(async () => (await import('../sign-in/session-watch.tsx')).SessionWatch)

/** What every screen behind the sign-in has, but needs only after the first rows: fetched as one. */
export function LateParts() {
  return (
    <>
      <SharedMarks />
      <LateWorkRoot />
      <SidebarLinks />
      <LiveUpdates />
      <LatePart fallback={null}>
        <SessionWatch />
        {location.search.includes('received') && <Receive />}
      </LatePart>
      <OfflineBanner />
      <Places />
      <ToolsRoot />
    </>
  )
}
