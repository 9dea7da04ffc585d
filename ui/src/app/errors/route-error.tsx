import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, type ReactNode, useEffect } from 'react'
import { health } from '../../../../src/api/server/server.ts'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client.ts'
import { useIsUnshared } from '../../api/permissions.ts'
import { placePathOf } from '../../api/places.ts'
import { useConfig } from '../../api/page-config.tsx'
import { useSession } from '../../api/session.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { LazyBoundary, lazyComponent } from '../../kit/lazy-component.tsx'
import { folderName } from '../../common/where.ts'
import { useFilesPath } from '../../lib/navigation/navigation.tsx'
import { ErrorScreen } from './error-screen.tsx'

interface ScreenBoundaryProps {
  /** A new visit clears the error. */
  readonly visit: string
  readonly children: ReactNode
}

interface Failure {
  readonly error: unknown
  readonly visit: string
}

/** Shows an error in place of a screen that threw. */
export class ScreenBoundary extends Component<ScreenBoundaryProps, { readonly failure: Failure | undefined }> {
  override readonly state: { readonly failure: Failure | undefined } = { failure: undefined }

  static getDerivedStateFromError(error: unknown): { failure: Failure } {
    return { failure: { error, visit: '' } }
  }

  static getDerivedStateFromProps(
    { visit }: ScreenBoundaryProps,
    { failure }: { failure: Failure | undefined },
  ): { failure: Failure | undefined } | null {
    if (failure === undefined || failure.visit === visit) return null
    return { failure: failure.visit === '' ? { ...failure, visit } : undefined }
  }

  /**
   * The children are inside the reset boundary too, so that a retry refetches failed queries instead of throwing their
   * old error.
   */
  override render(): ReactNode {
    const { failure } = this.state
    return (
      <QueryErrorResetBoundary>
        {({ reset }) =>
          failure === undefined ? (
            this.props.children
          ) : (
            <RouteError
              error={failure.error}
              onRetry={() => {
                reset()
                this.setState({ failure: undefined })
              }}
            />
          )
        }
      </QueryErrorResetBoundary>
    )
  }
}

const GoToParent = lazyComponent(async () => (await import('./go-to-parent.tsx')).GoToParent)

const UntilBack = lazyComponent(async () => (await import('./until-back.tsx')).UntilBack)

const ASK_AGAIN_AFTER = 5000

/** Error page for a screen that threw: an `ApiError` by its status, anything else as an internal error. */
function RouteError({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const known = error instanceof ApiError ? error : undefined
  const unshared = useIsUnshared() && known?.status === 404
  const t = useText()
  const path = useFilesPath()
  const away = known?.code === 'UNAVAILABLE' && path !== undefined ? (placePathOf(path) ?? '/') : undefined
  useReturn(known?.status === 0, onRetry)
  // Signed out: the login page follows.
  if (known?.status === 401) return null
  return (
    <ErrorScreen
      status={known?.status ?? 500}
      requestId={known?.requestId}
      onRetry={onRetry}
      unshared={unshared}
      away={away && folderName(t, away)}
      home="/files/"
    >
      {away !== undefined && (
        <LazyBoundary>
          <UntilBack place={away} onBack={onRetry} />
        </LazyBoundary>
      )}
      {known?.status === 403 && <SignInAsOther />}
      {known?.status === 404 && (
        <LazyBoundary>
          <GoToParent />
        </LazyBoundary>
      )}
    </ErrorScreen>
  )
}

/** Calls back when the server can be reached again: on the browser's event, and by polling. */
function useReturn(away: boolean, onReturn: () => void): void {
  const client = useClient()
  useEffect(() => {
    if (!away) return
    // Still unreachable: the next poll retries.
    const timer = setInterval(() => void client.call(health, {}).then(onReturn, () => undefined), ASK_AGAIN_AFTER)
    addEventListener('online', onReturn)
    return () => {
      clearInterval(timer)
      removeEventListener('online', onReturn)
    }
  })
}

function SignInAsOther() {
  const t = useText()
  const session = useSession()
  const { LoginPage } = useConfig()
  if (!LoginPage) return null
  return (
    <Button variant="ghost" onClick={() => void session.signOut()}>
      {t('errors.signInAsOther')}
    </Button>
  )
}
