import { useEffect, useState, type ReactNode } from 'react'
import { ApiError } from '../api/api-error.ts'
import type { Uploads } from '../files/uploads/uploads.ts'
import { UploadsContext } from '../files/uploads/uploads-context.tsx'
import { usePromptStack } from '../kit/dialog/prompt-stack.tsx'
import { Solo } from '../kit/page/page.tsx'
import type { AppHistory } from '../lib/navigation/history.ts'
import { NavigationProvider, useLocation } from '../lib/navigation/navigation.tsx'
import { ErrorScreen } from './errors/error-screen.tsx'
import { Providers } from './providers.tsx'
import { Screens } from './router.tsx'
import { type Services, ServicesProvider } from './services.ts'
import { UploadsOfUser } from './uploads-of-user.tsx'
import { useConfig } from '../api/page-config.tsx'
import { LazyBoundary, lazyComponent } from '../kit/lazy-component.tsx'

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

const MaintenanceScreen = lazyComponent(async () => (await import('./maintenance-screen.tsx')).MaintenanceScreen)

/**
 * Covers the page with a notice during maintenance. An open page stays mounted beneath it, so that no unsaved text is lost
 * and uploads continue afterwards. A page that is opened during maintenance starts once its user is let in.
 */
function MaintenanceGate({ children }: { readonly children: ReactNode }) {
  const { Maintenance: notice } = useConfig()
  const [first] = useState(notice)
  return (
    <>
      {!first && children}
      {(first ?? notice) && (
        <LazyBoundary>
          <MaintenanceScreen notice={notice}>{first && children}</MaintenanceScreen>
        </LazyBoundary>
      )}
    </>
  )
}
