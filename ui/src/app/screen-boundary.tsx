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

  override render(): ReactNode {
    const { failure } = this.state
    if (failure === undefined) return this.props.children
    return (
      <QueryErrorResetBoundary>
        {({ reset }) => (
          <RouteError
            error={failure.error}
            onRetry={() => {
              reset()
              this.setState({ failure: undefined })
            }}
          />
        )}
      </QueryErrorResetBoundary>
    )
  }
}
