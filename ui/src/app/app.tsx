import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { PlaceProvider } from '../lib/app-place.ts'
import type { AppRouter } from './router.tsx'
import type { Services } from './services.ts'
import { closePromptsOnNavigation } from './close-prompts.ts'
import { UploadsContext } from '../files/uploads/uploads-context.tsx'
import type { Uploads } from '../files/uploads/uploads.ts'
import { Providers } from './providers.tsx'
import { StartFailed } from './start-failed.tsx'
import { UploadsOfUser } from './uploads-of-user.tsx'

interface AppProps {
  services: Services
  router: AppRouter
  /** Why the session could not be looked up, when it could not. */
  startError: Error | undefined
  onRetry: () => Promise<Error | undefined>
}

/** All screens, and what goes on beside them. */
export function App({ services, router, startError, onRetry }: AppProps) {
  const [error, setError] = useState(startError)
  const [uploads, setUploads] = useState<Uploads>()
  useEffect(() => closePromptsOnNavigation(router, services.prompts), [router, services.prompts])
  return (
    <PlaceProvider value={router}>
      <Providers services={services}>
        {error ? (
          <StartFailed error={error} onRetry={() => void onRetry().then(setError)} />
        ) : (
          <UploadsContext value={uploads}>
            <RouterProvider router={router} />
            <UploadsOfUser onReady={setUploads} />
          </UploadsContext>
        )}
      </Providers>
    </PlaceProvider>
  )
}
