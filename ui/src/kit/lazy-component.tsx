import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'

/** Milliseconds. React renders again right after a failure and must get that failure, not a new attempt. */
const FAILURE_DURATION = 1000

/**
 * A component whose code is fetched when it is first shown. After a failure, a later use fetches it again; `React.lazy`
 * alone would fail forever.
 */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const fetchPart = () =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch (error) {
        setTimeout(() => (Part = fetchPart()), FAILURE_DURATION)
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
 * Wraps a part that the page can do without: nothing is shown while its code is fetched. If that fails (no network, a
 * newer version on the server), the part stays hidden until it is mounted again.
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
