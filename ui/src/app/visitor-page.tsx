import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useTextPart } from '../i18n/use-text-part.ts'
import { OverlayBoundary } from '../kit/dialog/overlay-boundary.tsx'
import { type AppPlace, PlaceProvider } from '../lib/app-place.ts'
import { Providers } from './providers.tsx'
import type { Services } from './services.ts'
import { ShareScreen } from './share-screen.tsx'
import { StartFailed } from './start-failed.tsx'
import type { Page } from './whole-page.tsx'

/**
 * The page of visitors to a public link: it holds nothing but what is behind the link, and any other place is loaded
 * anew. So visitors fetch neither the router nor what the screens of a user share. Who they are does not matter.
 */
export function pageOf(services: Services): Page {
  const history = createBrowserHistory()
  return { element: <VisitorPage services={services} history={history} />, history }
}

interface VisitorPageProps {
  readonly services: Services
  readonly history: RouterHistory
}

function VisitorPage({ services, history }: VisitorPageProps) {
  const { BaseURL } = services.config.get()
  const place = useMemo<AppPlace>(() => ({ basepath: BaseURL || '/', history }), [BaseURL, history])
  const [error, setError] = useState<Error>()
  return (
    <PlaceProvider value={place}>
      <Providers services={services}>
        {error ? (
          <StartFailed error={error} onRetry={() => location.reload()} />
        ) : (
          <OverlayBoundary onError={(thrown) => setError(thrown instanceof Error ? thrown : new Error(String(thrown)))}>
            <Suspense>
              <Link base={BaseURL} history={history} services={services} />
            </Suspense>
          </OverlayBoundary>
        )}
      </Providers>
    </PlaceProvider>
  )
}

interface LinkProps {
  readonly base: string
  readonly history: RouterHistory
  readonly services: Services
}

function Link({ base, history, services: { prompts } }: LinkProps) {
  useTextPart('public')
  const { href, pathname } = useSyncExternalStore(history.subscribe, () => history.location)
  const isLink = pathname.startsWith(`${base}/share/`)
  useEffect(() => {
    if (!isLink) location.reload()
  }, [isLink])
  // A prompt belongs to the screen it was asked on.
  useEffect(() => () => prompts.closeAll(), [prompts, pathname])
  return isLink ? <ShareScreen href={href.slice(base.length)} /> : null
}
