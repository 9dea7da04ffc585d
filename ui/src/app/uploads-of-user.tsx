import { Suspense, useState } from 'react'
import { useUser } from '../api/session-context.tsx'
import { hasKeptUploads } from '../files/uploads/kept-mark.ts'
import { lazyPart } from '../kit/lazy-part.tsx'
import { OverlayBoundary } from '../kit/dialog/overlay-boundary.tsx'
import { useStore } from '../lib/create-store.ts'
import { useLateUploads } from './late-uploads.tsx'
import { usePartMissing } from './use-part-missing.ts'

const UploadsRoot = lazyPart(async () => (await import('./uploads-root.tsx')).UploadsRoot)

/**
 * Beside the screens: what is on its way outlives a session that ends, until the user is back or another one comes. The code
 * is fetched with the first upload, or at once when an earlier page has left some.
 */
export function UploadsOfUser() {
  const id = useUser()?.id
  const [userId, setUserId] = useState(id)
  const [lost, setLost] = useState(false)
  const [left] = useState(hasKeptUploads)
  const wanted = useStore(useLateUploads().wanted)
  const sayPartMissing = usePartMissing()
  if (id !== undefined && id !== userId) setUserId(id)
  if (userId === undefined || lost || !(wanted || left)) return null
  return (
    <OverlayBoundary
      onError={() => {
        setLost(true)
        sayPartMissing()
      }}
    >
      <Suspense>
        <UploadsRoot userId={userId} />
      </Suspense>
    </OverlayBoundary>
  )
}
