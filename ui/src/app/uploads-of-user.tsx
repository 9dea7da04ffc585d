import { Suspense, useState } from 'react'
import { useUser } from '../api/session-context.tsx'
import type { Uploads } from '../files/uploads/uploads.ts'
import { lazyPart } from '../kit/lazy-part.tsx'
import { OverlayBoundary } from '../kit/dialog/overlay-boundary.tsx'
import { usePartMissing } from './use-part-missing.ts'

const UploadsRoot = lazyPart(async () => (await import('../files/uploads/uploads-root.tsx')).UploadsRoot)

/** Beside the screens, since uploads outlive a session that ends: they wait until the user signs in again. */
export function UploadsOfUser({ onReady }: { readonly onReady: (uploads: Uploads) => void }) {
  const id = useUser()?.id
  const [userId, setUserId] = useState(id)
  const [lost, setLost] = useState(false)
  const sayPartMissing = usePartMissing()
  if (id !== undefined && id !== userId) setUserId(id)
  if (userId === undefined || lost) return null
  return (
    <OverlayBoundary
      onError={() => {
        setLost(true)
        sayPartMissing()
      }}
    >
      <Suspense>
        <UploadsRoot key={userId} userId={userId} onReady={onReady} />
      </Suspense>
    </OverlayBoundary>
  )
}
