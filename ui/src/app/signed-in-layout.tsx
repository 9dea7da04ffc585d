import { Suspense, useState } from 'react'
import { MainLayout } from '../features/shell/main-layout.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { OverlayBoundary } from '../kit/overlay-boundary.tsx'
import { usePartMissing } from './use-part-missing.ts'

const LateParts = lazyPart(async () => (await import('./late-parts.tsx')).LateParts)

/** The frame of all screens behind the sign-in. */
export function SignedInLayout() {
  const [partsLost, setPartsLost] = useState(false)
  const sayPartMissing = usePartMissing()
  return (
    <>
      <MainLayout />
      {!partsLost && (
        <OverlayBoundary
          onError={() => {
            setPartsLost(true)
            sayPartMissing()
          }}
        >
          <Suspense>
            <LateParts />
          </Suspense>
        </OverlayBoundary>
      )}
    </>
  )
}
