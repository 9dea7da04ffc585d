import { type ReactNode, useContext } from 'react'
import { FileActionsProvider } from '../files/actions/file-actions-context.tsx'
import { JobsHost } from '../files/jobs/jobs-host.tsx'
import { SearchHost } from '../files/search/search-host.tsx'
import { UploadsContext } from '../files/uploads/uploads-context.tsx'
import { MainLayout } from '../shell/main-layout.tsx'
import { OfflineBanner } from '../shell/offline-banner.tsx'
import { PaletteHost } from '../shell/palette/palette-host.tsx'
import { Places } from '../shell/sidebar/places.tsx'
import { TerminalHost } from '../shell/terminal/terminal-tool.tsx'
import { SessionExpiry } from '../sign-in/session-expiry.tsx'
import { LiveUpdates } from './live-updates.tsx'
import { Receive } from './receive.ts'
import { SidebarLinks } from './sidebar-links.tsx'
import { usePartMissing } from './providers.tsx'

/** Layout around all screens behind the sign-in. */
export function SignedInLayout({ children }: { readonly children: ReactNode }) {
  const uploads = useContext(UploadsContext)
  const sayPartMissing = usePartMissing()
  if (uploads === undefined) return null
  return (
    <FileActionsProvider>
      <MainLayout>{children}</MainLayout>
      <JobsHost onError={sayPartMissing} />
      <SidebarLinks />
      <LiveUpdates />
      <SessionExpiry />
      <Receive />
      <OfflineBanner />
      <Places />
      <SearchHost onError={sayPartMissing} />
      <TerminalHost onError={sayPartMissing} />
      <PaletteHost pick={uploads.pick} />
    </FileActionsProvider>
  )
}
