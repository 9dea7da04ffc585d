import { Suspense, useContext, useState } from 'react'
import { MainLayout } from '../shell/main-layout.tsx'
import { KeysComing } from '../kit/keyboard/keys-coming.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { OverlayBoundary } from '../kit/dialog/overlay-boundary.tsx'
import { FileActionsProvider } from '../files/actions/file-actions-context.tsx'
import { UploadsContext } from '../files/uploads/uploads-context.tsx'
import { usePartMissing } from './use-part-missing.ts'

const LateParts = lazyPart(async () => (await import('./late-parts.tsx')).LateParts)

/** The frame of all screens behind the sign-in. */
export function SignedInLayout() {
  const uploads = useContext(UploadsContext)
  const [partsLost, setPartsLost] = useState(false)
  const sayPartMissing = usePartMissing()
  if (uploads === undefined) return null
  return (
    <FileActionsProvider>
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
    </FileActionsProvider>
  )
}
