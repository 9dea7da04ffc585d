import { Component, type ComponentType, createElement, type ReactNode, Suspense, useEffect, useState } from 'react'

export type LazyComponent<Props extends object> = ComponentType<Props> & {
  /** Fetches the code, so that the component is drawn at once later. @throws if the code cannot be fetched */
  preload(): Promise<void>
}

/**
 * A component whose code is fetched when it is first shown. After a failure, a later use fetches it again.
 *
 * Unlike `React.lazy` it does not suspend: React shows suspended content only 300 ms after the last placeholder, even if the code
 * arrives at once.
 *
 * @param Fallback drawn until the code is there; nothing by default
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Fallback?: ComponentType<NoInfer<Props>>,
): LazyComponent<Props> {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const preload = async (): Promise<void> => {
    loading ??= load().then((component) => void (Loaded = component))
    try {
      await loading
    } catch (error) {
      loading = undefined
      throw error
    }
  }
  function Lazy(props: Props) {
    const [Part, setPart] = useState(() => Loaded)
    const [failure, setFailure] = useState<{ readonly error: unknown }>()
    useEffect(() => {
      if (Part !== undefined) return
      preload().then(
        () => setPart(() => Loaded),
        (error: unknown) => setFailure({ error }),
      )
    }, [Part])
    if (failure) throw failure.error
    const Shown = Part ?? Fallback
    return Shown === undefined ? null : createElement(Shown, props)
  }
  return Object.assign(Lazy, { preload })
}

interface LazyBoundaryProps {
  /** Called when loading fails. Unmount the component and report the failure. */
  readonly onError?: ((error: unknown) => void) | undefined
  readonly children: ReactNode
}

/**
 * Wraps a part that the page can do without. Nothing is shown until its texts have loaded. If its code cannot be fetched (no
 * network, a newer version on the server), the part stays hidden until it is mounted again.
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
