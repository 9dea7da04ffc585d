import { useEffect, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import type { Uploads } from '../files/uploads/uploads.ts'
import { UploadsContext } from '../files/uploads/uploads-context.tsx'
import { usePromptStack } from '../kit/dialog/prompt-stack.tsx'
import { Solo } from '../kit/page/page.tsx'
import type { AppHistory } from '../lib/navigation/history.ts'
import { NavigationProvider, useLocation } from '../lib/navigation/navigation.tsx'
import { ErrorScreen } from './errors/error-screen.tsx'
import { MaintenanceGate } from './maintenance-gate.tsx'
import { Providers } from './providers.tsx'
import { Screens } from './router.tsx'
import { type Services, ServicesProvider } from './services.ts'
import { UploadsOfUser } from './uploads-of-user.tsx'

interface AppProps {
  readonly services: Services
  readonly history: AppHistory
  /** Why looking up the session failed. */
  readonly startError: Error | undefined
  readonly onRetry: () => Promise<Error | undefined>
}

export function App({ services, history, startError, onRetry }: AppProps) {
  const [error, setError] = useState(startError)
  const [uploads, setUploads] = useState<Uploads>()
  useNoStrayDrops()
  return (
    <ServicesProvider value={services}>
      <NavigationProvider base={services.config.get().BaseURL} history={history}>
        <Providers services={services}>
          <UploadsContext value={uploads}>
            <MaintenanceGate>
              {error ? (
                <StartFailed error={error} onRetry={() => void onRetry().then(setError)} />
              ) : (
                <>
                  <ClosePrompts />
                  <Screens />
                  <UploadsOfUser onReady={setUploads} />
                </>
              )}
            </MaintenanceGate>
          </UploadsContext>
        </Providers>
      </NavigationProvider>
    </ServicesProvider>
  )
}

/** Closes prompts when their screen goes away. */
function ClosePrompts() {
  const prompts = usePromptStack()
  const { pathname } = useLocation()
  useEffect(() => () => prompts.closeAll(), [prompts, pathname])
  return null
}

/** Shown if the page has loaded, but looking up the session failed. */
function StartFailed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  useEffect(() => {
    addEventListener('online', onRetry)
    return () => removeEventListener('online', onRetry)
  })
  const known = error instanceof ApiError ? error : undefined
  return (
    <Solo>
      <ErrorScreen status={known?.status ?? 500} requestId={known?.requestId} onRetry={onRetry} />
    </Solo>
  )
}

/** Stops the browser from replacing the page with a file that is dropped outside a drop zone. */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const listening = new AbortController()
    const refuse = (event: DragEvent): void => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      // Drop zones override this.
      event.dataTransfer.dropEffect = 'none'
    }
    addEventListener('dragover', refuse, listening)
    addEventListener('drop', refuse, listening)
    return () => listening.abort()
  }, [])
}
