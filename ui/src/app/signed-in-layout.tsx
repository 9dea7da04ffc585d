import { type ReactNode, useContext } from 'react'
import { FileActionsProvider } from '../files/actions/file-actions-context.tsx'
import { ArrivalNotices } from '../files/share/arrival-notices.tsx'
import { UploadsContext } from '../files/uploads/uploads-context.tsx'
import { MainLayout } from '../shell/main-layout.tsx'
import { PaletteHost } from '../shell/palette/palette-host.tsx'
import { SessionExpiry } from '../sign-in/session-expiry.tsx'
import { LiveUpdates } from './live-updates.tsx'
import { Receive } from './receive.ts'

/** Layout around all screens behind the sign-in. */
export function SignedInLayout({ children }: { readonly children: ReactNode }) {
  const uploads = useContext(UploadsContext)
  if (uploads === undefined) return null
  return (
    <FileActionsProvider addedEntries={uploads.addedEntries}>
      <MainLayout>{children}</MainLayout>
      <LiveUpdates />
      <SessionExpiry />
      <ArrivalNotices />
      <Receive />
      <PaletteHost pick={uploads.pick} />
    </FileActionsProvider>
  )
}
