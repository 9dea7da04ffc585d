import { Component, type ReactNode } from 'react'

interface OverlayBoundaryProps {
  /** Takes what failed away again, and says so. */
  onError: (error: unknown) => void
  children: ReactNode
}

/** Keeps a menu or a dialog that cannot be fetched (no network, a newer version on the server) from taking the page along. */
export class OverlayBoundary extends Component<OverlayBoundaryProps, { failed: boolean }> {
  override readonly state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error)
    this.setState({ failed: false })
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children
  }
}
