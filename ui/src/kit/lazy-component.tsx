import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'

/** Milliseconds that a failure lasts: React renders again at once and must find the failure, not a new attempt. */
const FAILS_FOR = 1000

/**
 * A component whose code is fetched when it is first shown. Some time after a failure the next use fetches it
 * again, where `React.lazy` alone would fail for ever.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const fetchPart = () =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch (error) {
        setTimeout(() => (Part = fetchPart()), FAILS_FOR)
        throw error
      }
    })
  let Part = fetchPart()
  return (props: Props) => createElement(Part as ComponentType<Props>, props)
}

interface LazyBoundaryProps {
  /** Called when loading fails. Unmount the component and report the failure. */
  readonly onError?: ((error: unknown) => void) | undefined
  readonly children: ReactNode
}

/**
 * Around a part that the page works without: nothing is shown while its code is fetched. When that fails (no network, a
 * newer version on the server), it stays hidden until it is mounted again.
 */
export class LazyBoundary extends Component<LazyBoundaryProps, { readonly failed: boolean }> {
  override readonly state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError?.(error)
  }

  override render(): ReactNode {
    return this.state.failed ? null : <Suspense>{this.props.children}</Suspense>
  }
}
