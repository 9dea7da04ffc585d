import { Suspense, useState } from 'react'
import { MainLayout } from '../features/shell/main-layout.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { OverlayBoundary } from '../kit/overlay-boundary.tsx'
import { createLateUploads, LateUploadsProvider } from './late-uploads.tsx'
import { usePartMissing } from './use-part-missing.ts'

const UploadsRoot = lazyPart(async () => (await import('./uploads-root.tsx')).UploadsRoot)

/** The frame of all screens behind the sign-in. */
export function SignedInLayout() {
  const [uploads] = useState(createLateUploads)
  const [uploadsLost, setUploadsLost] = useState(false)
  const sayPartMissing = usePartMissing()
  return (
    <LateUploadsProvider value={uploads}>
      <MainLayout />
      {!uploadsLost && (
        <OverlayBoundary
          onError={() => {
            setUploadsLost(true)
            sayPartMissing()
          }}
        >
          <Suspense>
            <UploadsRoot />
          </Suspense>
        </OverlayBoundary>
      )}
    </LateUploadsProvider>
  )
}
