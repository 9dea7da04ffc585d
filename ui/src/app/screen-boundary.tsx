import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'
import { RouteError } from './route-error.tsx'

interface ScreenBoundaryProps {
  /** Another visit shows its screen again. */
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

  /** The screen lies within the reset boundary as well: trying again must fetch what failed, not throw it once more. */
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
