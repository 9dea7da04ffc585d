import { useState } from 'react'
import { useUser } from '../api/session.ts'
import { useReportLoadFailure } from '../common/use-report-load-failure.ts'
import type { Uploads } from '../files/uploads/uploads.ts'
import { LazyBoundary, lazyComponent } from '../kit/lazy-component.tsx'
import { useLocation } from '../lib/navigation/navigation.tsx'

export const UploadsRoot = lazyComponent(async () => (await import('../files/uploads/uploads-root.tsx')).UploadsRoot)

/** Outside the screens, since uploads outlive an expired session: they wait until the user signs in again. */
export function UploadsOfUser({ onReady }: { readonly onReady: (uploads: Uploads) => void }) {
  const id = useUser()?.id
  const { pathname } = useLocation()
  const [userId, setUserId] = useState(id)
  const reportLoadFailure = useReportLoadFailure()
  // Visitors of a share do not upload, even when signed in.
  if (id !== undefined && id !== userId) setUserId(id)
  if (userId === undefined || pathname.startsWith('/share/')) return null
  return (
    <LazyBoundary onError={reportLoadFailure}>
      <UploadsRoot key={userId} userId={userId} onReady={onReady} />
    </LazyBoundary>
  )
}
