import { Suspense, useState } from 'react'
import { MainLayout } from '../shell/main-layout.tsx'
import { KeysComing } from '../kit/keyboard/keys-coming.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { OverlayBoundary } from '../kit/dialog/overlay-boundary.tsx'
import { createLateWork, WorkProvider } from '../files/actions/late-work.tsx'
import { useLateUploads } from './late-uploads.tsx'
import { usePartMissing } from './use-part-missing.ts'

const LateParts = lazyPart(async () => (await import('./late-parts.tsx')).LateParts)

/** The frame of all screens behind the sign-in. */
export function SignedInLayout() {
  const { lastArrival } = useLateUploads()
  const [work] = useState(() => createLateWork(lastArrival))
  const [partsLost, setPartsLost] = useState(false)
  const sayPartMissing = usePartMissing()
  return (
    <WorkProvider value={work}>
      <MainLayout />
      {!partsLost && (
        <OverlayBoundary
          onError={() => {
            setPartsLost(true)
            sayPartMissing()
          }}
        >
          <Suspense fallback={<KeysComing />}>
            <LateParts />
          </Suspense>
        </OverlayBoundary>
      )}
    </WorkProvider>
  )
}
