import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { AppRouter } from './router.tsx'
import type { Services } from './services.ts'
import { closePromptsOnNavigation } from './close-prompts.ts'
import { Providers } from './providers.tsx'
import { StartFailed } from './start-failed.tsx'

interface AppProps {
  services: Services
  router: AppRouter
  /** Why the session could not be looked up, when it could not. */
  startError: Error | undefined
  onRetry: () => Promise<Error | undefined>
}

export function App({ services, router, startError, onRetry }: AppProps) {
  const [error, setError] = useState(startError)
  useEffect(() => closePromptsOnNavigation(router, services.prompts), [router, services.prompts])
  return (
    <Providers services={services}>
      {error ? (
        <StartFailed error={error} onRetry={() => void onRetry().then(setError)} />
      ) : (
        <RouterProvider router={router} />
      )}
    </Providers>
  )
}
